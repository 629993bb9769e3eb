// The type that several branches have in common. Their sizes may differ: then the result has a size
// of its own, which its value alone tells. `if`, `match` and loops ask here.
#include <algorithm>
#include <functional>

#include "lang/types/declare/declare.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_apply.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/infer/infer_loop.h"
#include "lang/types/report.h"

namespace halo::types {

using namespace syntax;

namespace {

bool isAfter(Span later, Span earlier) {
  return later.file == earlier.file && later.begin >= earlier.end;
}

// Whether unknowns may make the sizes of two branches one. An unknown in a size from outside, as a
// loop carries it, may be a size from there, but none that came up since. Two products, such as
// `n * m` and `n * k`, may be one if their factors may.
bool mayAgree(const Inference& inference, const Program& program, const Size& a, const Size& b,
              Span choice) {
  const Size x = inference.resolve(a), y = inference.resolve(b);
  if (equal(x, y)) return true;
  const auto form_x = x.written, form_y = y.written;
  if (form_x && form_y && form_x->op && form_x->op == form_y->op) {
    return mayAgree(inference, program, form_x->lhs, form_y->lhs, choice) &&
           mayAgree(inference, program, form_x->rhs, form_y->rhs, choice);
  }
  for (const auto& sides : {std::pair(&x, &y), std::pair(&y, &x)}) {
    const Size *const open = sides.first, *const other = sides.second;
    bool agree = true;
    inference.forEachLeaf(*open, [&](SizeAtom unknown) {
      if (!unknown.is_unknown || isWithin(inference.originOf(unknown), choice)) return;
      agree = agree && asAtom(*open);
      inference.forEachLeaf(*other, [&](SizeAtom atom) {
        if (atom.is_unknown) return;
        const Span origin = program.binders[BinderId(atom.index)].span;
        agree = agree && !isAfter(origin, inference.originOf(unknown));
      });
    });
    if (!agree && !(asAtom(*other) && asAtom(*other)->is_unknown)) return false;
  }
  return true;
}

bool agreeOnSize(Inference& inference, const Program& program, const Size& a, const Size& b,
                 Span choice) {
  const Size x = inference.resolve(a), y = inference.resolve(b);
  if (equal(x, y)) return true;
  return mayAgree(inference, program, x, y, choice) && inference.unifySizes(x, y);
}

// Branches may differ in sizes: the result's size is then known to its value only, and is the same
// wherever the same two meet.
class Joiner {
 public:
  struct Makers {
    std::function<Size()> new_size;
    std::function<TypeRef(TypeRef)> opened;                // with unknown sizes
    std::function<void(Size)> untold;                      // nothing has to tell it
    std::function<bool(const Size&, const Size&)> differ;  // whatever unknowns stand for
  };

  Joiner(Inference& inference, const Program& program, Span span, Makers make)
      : inference_(inference), program_(program), span_(span), make_(std::move(make)) {}

  TypeRef join(TypeRef a, TypeRef b, MaybeMismatch& mismatch) {
    if (inference_.isPlain(a) && inference_.resolve(a) == inference_.resolve(b)) return a;
    auto* array_a = inference_.as<InferArray>(a);
    auto* array_b = inference_.as<InferArray>(b);
    if (array_a && array_b) {
      InferArray lhs = *array_a, rhs = *array_b;
      TypeRef element = join(lhs.element, rhs.element, mismatch);
      return inference_.array(joinSizes(lhs.size, rhs.size), element);
    }
    auto* record_a = inference_.as<InferRecord>(a);
    auto* record_b = inference_.as<InferRecord>(b);
    if (record_a && record_b && record_a->names == record_b->names) {
      InferRecord lhs = *record_a, rhs = *record_b;
      for (size_t i = 0; i < lhs.fields.size(); ++i) {
        lhs.fields[i] = join(lhs.fields[i], rhs.fields[i], mismatch);
      }
      return inference_.record(std::move(lhs));
    }
    auto* param_a = inference_.as<InferParam>(a);
    auto* param_b = inference_.as<InferParam>(b);
    if (param_a && param_b && param_a->parameter == param_b->parameter) {
      return joinParams(*param_a, *param_b, mismatch);
    }
    auto* sum_a = inference_.as<InferSum>(a);
    auto* sum_b = inference_.as<InferSum>(b);
    if (sum_a && sum_b && sum_a->constructors == sum_b->constructors) {
      return joinSums(*sum_a, *sum_b, mismatch);
    }
    for (const auto& [open, known] : {std::pair(a, b), std::pair(b, a)}) {
      // `#some xs` beside an option of another size: it is the same sum, but for its sizes. A
      // parameter of which nothing is known beside an array is one, whose size its uses decide.
      const bool is_sum = inference_.rowOf(open) && inference_.as<InferSum>(known);
      const bool is_array = inference_.isUnknown(open) && inference_.as<InferArray>(known);
      if (!is_sum && !is_array) continue;
      if (!inference_.unify(open, make_.opened(known))) return join(a, b, mismatch);
    }
    if (auto different = inference_.unify(b, a); different && !mismatch) mismatch = different;
    return a;
  }

 private:
  Size joinSizes(const Size& a, const Size& b) {
    if (!isApart(a, b) && !make_.differ(a, b) && agreeOnSize(inference_, program_, a, b, span_))
      return a;
    const Size x = inference_.resolve(a), y = inference_.resolve(b);
    for (const auto& [pair, joined] : joined_) {
      if (equal(pair.first, x) && equal(pair.second, y)) return joined;
    }
    joined_.push_back({{x, y}, make_.new_size()});
    return joined_.back().second;
  }

  // `#nothing` beside `#just (filter p xs)`: no array there has the size that came up here.
  bool isApart(const Size& a, const Size& b) {
    if (!in_sum_) return false;
    for (const auto& [open, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
      const auto unknown = asAtom(inference_.resolve(*open));
      if (!unknown || !unknown->is_unknown || !isWithin(inference_.originOf(*unknown), span_)) {
        continue;
      }
      bool is_inner = false;
      inference_.forEachLeaf(inference_.resolve(*other), [&](SizeAtom leaf) {
        is_inner = is_inner || (leaf.isBinder() &&
                                isWithin(program_.binders[BinderId(leaf.index)].span, span_));
      });
      if (!is_inner) continue;
      make_.untold(atomSize(*unknown));
      return true;
    }
    return false;
  }

  TypeRef joinParams(InferParam a, const InferParam& b, MaybeMismatch& mismatch) {
    for (size_t i = 0; i < a.sizes.size(); ++i) a.sizes[i] = joinSizes(a.sizes[i], b.sizes[i]);
    for (size_t i = 0; i < a.types.size(); ++i) {
      a.types[i] = join(a.types[i], b.types[i], mismatch);
    }
    return inference_.parameter(std::move(a));
  }

  // A value has one of the payloads, which shows no sizes of others.
  TypeRef joinSums(InferSum a, InferSum b, MaybeMismatch& mismatch) {
    const bool outer = std::exchange(in_sum_, true);
    for (size_t i = 0; i < a.payloads.size(); ++i) {
      const auto outside = std::exchange(joined_, {});
      for (size_t j = 0; j < std::min(a.payloads[i].size(), b.payloads[i].size()); ++j) {
        a.payloads[i][j] = join(a.payloads[i][j], b.payloads[i][j], mismatch);
      }
      joined_ = outside;
    }
    in_sum_ = outer;
    return inference_.sum(std::move(a));
  }

  Inference& inference_;
  const Program& program_;
  Span span_;
  Makers make_;
  bool in_sum_ = false;
  std::vector<std::pair<std::pair<Size, Size>, Size>> joined_;
};

}  // namespace

TypeRef ExprInferrer::join(TypeRef a, TypeRef b, Span span, MaybeMismatch& mismatch) {
  auto opened = [&](TypeRef type) {
    SizePairs sizes;
    return loops_.withUnknownSizes(type, sizes);
  };
  auto new_size = [&] { return binderSize(names_.newSizeBinder("k", span)); };
  auto untold = [&](Size size) { pending_.untold.push_back(std::move(size)); };
  auto differ = [&](const Size& x, const Size& y) {
    return loops_.areApart(x, y) || isOpenApart(x, y);
  };
  return Joiner(inference_, program_, span, {new_size, opened, untold, differ})
      .join(a, b, mismatch);
}

// Does a branch give an array whose size is open in the type of a variable, and the other branch
// one of another size? Uses of the variable decide its size, not this join.
//   \ys -> if null ys then take 1 xs else ys
bool ExprInferrer::isOpenApart(const Size& a, const Size& b) {
  if (context_.joins_open || inference_.isSame(inference_.resolve(a), inference_.resolve(b)))
    return false;
  const bool is_apart = isOpenInVariable(a) || isOpenInVariable(b);
  context_.parts_open = context_.parts_open || is_apart;
  return is_apart;
}

bool ExprInferrer::isOpenInVariable(const Size& size) {
  const std::optional<SizeAtom> unknown = asAtom(inference_.resolve(size));
  if (!unknown || !unknown->is_unknown || loops_.isCarried(*unknown)) return false;
  const auto has = [&](const LocalValue& local) {
    const std::vector<SizeAtom> sizes = inference_.sizeAtoms(local.type);
    return std::find(sizes.begin(), sizes.end(), *unknown) != sizes.end();
  };
  return std::any_of(locals_.values().begin(), locals_.values().end(), has);
}

TypeRef ExprInferrer::inferIf(ExprId expr, const If& node, TypeRef hint) {
  check(node.condition, boolean(), "the condition");
  size_t first_binder = program_.binders.size();
  TypeRef then_type = declarations_.leaveScope(infer(node.then_branch, hint), first_binder);
  first_binder = program_.binders.size();
  TypeRef else_type = infer(node.else_branch, hint ? hint : then_type);
  else_type = declarations_.leaveScope(else_type, first_binder);
  inference_.limitLift(then_type, Lift::kSize);
  MaybeMismatch mismatch;
  inference_.current_span = span(expr);
  TypeRef type = join(then_type, else_type, span(expr), mismatch);
  if (!mismatch) return applications_.limitSizes(type, span(expr));
  comparison_.report(span(node.else_branch), else_type, then_type, *mismatch, "this branch");
  return poison();
}

}  // namespace halo::types
