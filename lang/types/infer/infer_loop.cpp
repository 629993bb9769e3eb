// Loops. A carried array may change its size from step to step. Sizes of the initial value are
// first unknown inside the body; the body's demands and results then decide which stay.
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_apply.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/infer/infer_loop.h"
#include "lang/types/report.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

// A copy of `type` with an unknown in place of each size; `unknown_of` pairs them up.
TypeRef LoopInferrer::withUnknownSizes(TypeRef type, SizePairs& unknown_of) {
  if (inference_.isPlain(type)) return type;
  const InferNode node = inference_.node(type);
  if (auto* array = std::get_if<InferArray>(&node)) {
    Size unknown = inference_.unknownSize(inference_.current_span);
    unknown_of.emplace_back(unknown, array->size);
    TypeRef element = withUnknownSizes(array->element, unknown_of);
    return inference_.array(std::move(unknown), element);
  }
  if (auto* record = std::get_if<InferRecord>(&node)) {
    InferRecord copy = *record;
    for (TypeRef& field : copy.fields) field = withUnknownSizes(field, unknown_of);
    return inference_.record(std::move(copy));
  }
  if (auto* sum = std::get_if<InferSum>(&node)) {
    InferSum copy = *sum;
    for (auto& payload : copy.payloads) {
      for (TypeRef& part : payload) part = withUnknownSizes(part, unknown_of);
    }
    return inference_.sum(std::move(copy));
  }
  if (auto* param = std::get_if<InferParam>(&node)) {
    InferParam copy = *param;
    for (Size& size : copy.sizes) {
      Size unknown = inference_.unknownSize(inference_.current_span);
      unknown_of.emplace_back(unknown, std::exchange(size, unknown));
    }
    for (TypeRef& argument : copy.types) argument = withUnknownSizes(argument, unknown_of);
    return inference_.parameter(std::move(copy));
  }
  return type;
}

TypeRef LoopInferrer::inferLoop(ExprId expr, const Loop& loop) {
  size_t mark = locals_.mark();
  exprs_.declareSizeNames(expr, loop.sizes);
  TypeRef pattern_type = exprs_.patternType(loop.pattern, Anonymous::kUnknown);
  locals_.popTo(mark);
  exprs_.rejectUnusedSizes(expr, loop.sizes, pattern_type);
  TypeRef initial = exprs_.infer(loop.initial, pattern_type);
  inference_.current_span = span(loop.initial);
  SizePairs sizes;  // of the carried value, and of the initial one
  TypeRef carried = withUnknownSizes(initial, sizes);
  if (!comparison_.require(span(loop.initial), carried, pattern_type, "the initial value")) {
    carried = pattern_type;
  }
  inference_.limitLift(carried, Lift::kSize);
  const size_t outer_carried = carried_.size();
  for (const auto& [inside, start] : sizes) carried_.emplace_back(*asAtom(inside), start);
  LoopForm form = inferLoopForm(loop);
  exprs_.declareSizeNames(expr, loop.sizes);
  exprs_.bindAlways(loop.pattern, carried, Anonymous::kUnknown);
  bindLoopForm(expr, loop, form);
  TypeRef body = exprs_.infer(loop.body, carried);
  carried_.resize(outer_carried);
  locals_.popTo(mark);
  settleLoopSizes(expr, loop, carried, body, sizes);

  // Outside, changed sizes are those of the last step: a new name each.
  Substitution last;
  std::vector<BinderId> inside = program_.loop_sizes.at(expr);
  const std::vector<BinderId> named = program_.size_names.at(expr);
  inside.insert(inside.end(), named.begin(), named.end());
  for (BinderId binder : inside) {
    const std::string name = program_.binders[binder].name;
    last.sizes.emplace_back(binder, binderSize(names_.newSizeBinder(name, span(expr))));
  }
  return inference_.instantiate(carried, last);
}

// Whether it is the size of an array that a loop around carries. `xs :> [e]t` in its body says
// nothing of the size that xs starts with.
bool LoopInferrer::isCarried(SizeAtom unknown) const {
  return std::any_of(carried_.begin(), carried_.end(), [&](const auto& carried) {
    return asAtom(inference_.resolve(atomSize(carried.first))) == unknown;
  });
}

// At the first step of the first `loops` carried sizes, which belong to outer loops first; nothing
// if none of them is in it.
std::optional<Size> LoopInferrer::atStart(const Size& size, size_t loops) const {
  bool has_carried = false;
  Size start = substitute(inference_.resolve(size), [&](SizeAtom atom) -> std::optional<Size> {
    for (size_t k = loops; k-- > 0;) {
      const auto& [unknown, initial] = carried_[k];
      if (asAtom(inference_.resolve(atomSize(unknown))) != atom) continue;
      has_carried = true;
      const std::optional<Size> outer = atStart(initial, k);
      return outer ? *outer : inference_.resolve(initial);
    }
    return std::nullopt;
  });
  return has_carried ? std::optional(start) : std::nullopt;
}

// Whether sizes of carried arrays differ at the first step: no step's demand makes them equal.
//   loop xs = [[1, 2], [3, 4], [5, 6]] for k < n do if k == 0 then transpose xs else xs
// A size computed of carried ones changes, so that it differs from another one in some step, if it
// differs at the first. Sizes that are equal at first are taken to stay equal, unless an attempt
// parts them.
bool LoopInferrer::areApart(const Size& a, const Size& b) {
  const std::optional<Size> x = atStart(a, carried_.size()), y = atStart(b, carried_.size());
  if (inference_.isSame(inference_.resolve(a), inference_.resolve(b))) return false;
  if (context_.parts_carried) return x || y;
  context_.joins_carried = context_.joins_carried || x || y;
  if (!x || !y) return false;
  const bool is_computed = !asAtom(inference_.resolve(a)) || !asAtom(inference_.resolve(b));
  if (inference_.isSame(*x, *y)) return false;
  return is_computed || (!hasUnknown(*x) && !hasUnknown(*y));
}

// A loop in a loop starts with the outer loop's carried value and returns what that starts with.
// `initial` and `back` are equal at the first step, and are taken to stay equal.
//   loop xs = ys for i < n do loop zs = xs for j < m do map (+ i) ys
bool LoopInferrer::isStartOfCarried(const Size& back, const Size& initial) {
  const std::optional<Size> start = atStart(initial, carried_.size());
  if (context_.parts_carried || !start) return false;
  const std::optional<Size> other = atStart(back, carried_.size());
  if (!inference_.isSame(*start, other ? *other : back)) return false;
  context_.joins_carried = true;
  return inference_.unifySizes(back, initial);
}

// The bound and the array are evaluated once, before the carried variables are there.
LoopInferrer::LoopForm LoopInferrer::inferLoopForm(const Loop& loop) {
  return base::match(
      loop.form,
      [&](const syntax::LoopFor& form) {
        TypeRef bound = exprs_.infer(form.bound);
        TypeRef integer = exprs_.overloaded(span(form.bound), allowedAt(prim::Operands::kInt));
        if (!applications_.requireOperand(span(form.bound), bound, integer, "<"))
          integer = poison();
        return LoopForm{integer};
      },
      [&](const LoopForIn& form) {
        TypeRef element = exprs_.patternType(form.pattern, Anonymous::kUnknown);
        TypeRef array = inference_.array(inference_.unknownSize(span(form.array)), element);
        exprs_.check(form.array, array, "the array of `for .. in`");
        return LoopForm{element};
      },
      [](const LoopWhile&) { return LoopForm{}; });
}

void LoopInferrer::bindLoopForm(ExprId expr, const Loop& loop, const LoopForm& info) {
  base::match(
      loop.form,
      [&](const syntax::LoopFor& form) {
        BinderId binder = names_.newBinder(form.variable.name, form.variable.span, info.element);
        program_.loop_variable[expr] = binder;
        locals_.add({form.variable.name, binder, info.element, {}});
      },
      [&](const LoopForIn& form) {
        exprs_.bindAlways(form.pattern, info.element, Anonymous::kUnknown);
      },
      [&](const LoopWhile& form) {
        exprs_.check(form.condition, boolean(), "the condition of `while`");
      });
}

// ---- sizes of carried arrays

bool LoopInferrer::isSizeName(ExprId expr, const Size& size) const {
  auto atom = asAtom(size);
  const std::vector<BinderId>& names = program_.size_names.at(expr);
  return atom && atom->isBinder() &&
         std::find(names.begin(), names.end(), BinderId(atom->index)) != names.end();
}

// Sizes that the body needs fixed must be those of the initial value. Two that it needs to be equal
// must be equal at the start.
void LoopInferrer::checkInitialSizes(ExprId expr, const Loop& loop, TypeRef carried,
                                     const SizePairs& sizes) {
  for (size_t i = 0; i < sizes.size(); ++i) {
    Size inside = inference_.resolve(sizes[i].first);
    Size needed = inside;
    auto atom = asAtom(inside);
    if (isSizeName(expr, inside) || (atom && atom->is_unknown)) {
      auto first = std::find_if(sizes.begin(), sizes.end(), [&](const auto& pair) {
        return equal(inference_.resolve(pair.first), inside);
      });
      needed = first->second;
    }
    if (inference_.mergeSizes(sizes[i].second, needed)) continue;
    comparison_.report(span(loop.initial), inferred_[loop.initial], carried,
                       Mismatch{Mismatch::Kind::kSize, {}, {}, sizes[i].second, needed, {}},
                       "the initial value");
  }
}

// Different sizes that the body returns where the loop has one name for them. `pairs` has the sizes
// of the body's result, and of the carried value.
std::optional<std::pair<Size, Size>> LoopInferrer::twoSizesOfName(ExprId expr,
                                                                  const SizePairs& pairs) {
  SizePairs named;
  for (const auto& [returned, inside] : pairs) {
    const Size name = inference_.resolve(inside);
    if (!isSizeName(expr, name)) continue;
    const auto before = std::find_if(named.begin(), named.end(),
                                     [&](const auto& pair) { return equal(pair.first, name); });
    if (before != named.end() && !inference_.unifySizes(returned, before->second)) {
      return std::pair(returned, before->second);
    }
    named.emplace_back(name, returned);
  }
  return std::nullopt;
}

std::vector<LoopInferrer::CarriedSize> LoopInferrer::openSizes(ExprId expr, const Loop& loop,
                                                               TypeRef carried, TypeRef body,
                                                               const SizePairs& sizes,
                                                               SizePairs& pairs) {
  if (auto mismatch = inference_.unifyShapes(body, carried, pairs)) {
    comparison_.report(span(loop.body), body, carried, *mismatch, "the body of the loop");
    return {};
  }
  auto carriedAs = [&](const Size& size) {
    return std::find_if(sizes.begin(), sizes.end(), [&](const auto& pair) {
      return equal(inference_.resolve(pair.first), size);
    });
  };
  auto reportSizes = [&](const Size& returned, const Size& needed) {
    comparison_.report(span(loop.body), body, carried,
                       Mismatch{Mismatch::Kind::kSize, {}, {}, returned, needed, {}},
                       "the body of the loop");
  };
  if (const auto sizes_of_name = twoSizesOfName(expr, pairs)) {
    reportSizes(sizes_of_name->first, sizes_of_name->second);
  }
  std::vector<CarriedSize> open;
  for (const auto& [returned, inside] : pairs) {
    Size now = inference_.resolve(inside);
    if (isSizeName(expr, now)) continue;
    auto atom = asAtom(now);
    auto place = carriedAs(now);
    if (atom && atom->is_unknown && place != sizes.end()) {
      Size back = inference_.resolve(returned);
      auto back_atom = asAtom(back);
      const bool is_free = back_atom && back_atom->is_unknown && carriedAs(back) == sizes.end() &&
                           !isCarried(*back_atom);
      if (is_free) inference_.solveSize(*back_atom, now);  // `rep 0`: any size will do
      open.push_back({*atom, place->second, returned});
    } else if (!inference_.unifySizes(returned, inside)) {
      reportSizes(returned, now);
    }
  }
  return open;
}

// Those stay that the body returns unchanged, assuming all do; each that does not may spoil more,
// until nothing changes. Sizes computed of them change, though `n + n` be 0 for an n of 0.
void LoopInferrer::findChanging(std::vector<CarriedSize>& sizes) {
  for (CarriedSize& size : sizes) {
    const Size back = inference_.resolve(size.returned);
    size.changes = !asAtom(back) && std::any_of(sizes.begin(), sizes.end(), [&](const auto& other) {
      return mentions(back, other.unknown);
    });
  }
  auto assumed = [&](SizeAtom atom) -> std::optional<Size> {
    for (const CarriedSize& size : sizes) {
      if (size.unknown == atom && !size.changes) return inference_.resolve(size.initial);
    }
    return std::nullopt;
  };
  for (bool again = true; again;) {
    again = false;
    for (CarriedSize& size : sizes) {
      if (size.changes) continue;
      const Size back = substitute(inference_.resolve(size.returned), assumed);
      if (inference_.isSame(back, inference_.resolve(size.initial))) continue;
      if (isStartOfCarried(back, size.initial)) continue;
      size.changes = again = true;
    }
  }
}

// A size that the body needs may have an inner name: it is the initial size, if both stand for one.
void LoopInferrer::nameOutside(const SizePairs& sizes) {
  for (const auto& [inside, initial] : sizes) {
    const auto unknown = asAtom(inside);
    const Size now = inference_.resolve(inside);
    if (!unknown || hasUnknown(now) || !inference_.isSame(now, initial)) continue;
    inference_.solveSize(*unknown, initial);
  }
}

void LoopInferrer::settleLoopSizes(ExprId expr, const Loop& loop, TypeRef carried, TypeRef body,
                                   const SizePairs& sizes) {
  nameOutside(sizes);
  inference_.current_span = span(loop.body);
  SizePairs pairs;  // of the body's result, and of the carried value
  std::vector<CarriedSize> open = openSizes(expr, loop, carried, body, sizes, pairs);
  checkInitialSizes(expr, loop, carried, sizes);
  findChanging(open);
  for (bool changing : {true, false}) {  // one unknown may stand at several places
    for (const CarriedSize& size : open) {
      bool is_solved = !hasUnknown(inference_.resolve(atomSize(size.unknown)));
      if (size.changes != changing || is_solved) continue;
      if (!changing) {
        inference_.solveSize(size.unknown, size.initial);
        continue;
      }
      BinderId binder = names_.newSizeBinder("k", span(loop.pattern));
      inference_.solveSize(size.unknown, binderSize(binder));
      program_.loop_sizes[expr].push_back(binder);
    }
  }
  for (const CarriedSize& size : open) {  // equal at the start of a step, so equal at its end
    auto first = std::find_if(open.begin(), open.end(), [&](const CarriedSize& other) {
      return other.unknown == size.unknown;
    });
    if (inference_.unifySizes(size.returned, first->returned)) continue;
    comparison_.report(span(loop.body), body, carried,
                       Mismatch{Mismatch::Kind::kSize, {}, {}, size.returned, first->returned, {}},
                       "the body of the loop");
    return;
  }
  checkComputed(loop, carried, body, open, pairs);
}

// A size computed of others that the loop changes, `n + 1`, is computed of those that the body
// returns.
void LoopInferrer::checkComputed(const Loop& loop, TypeRef carried, TypeRef body,
                                 const std::vector<CarriedSize>& open, const SizePairs& pairs) {
  std::vector<std::pair<SizeAtom, Size>> next;
  for (const CarriedSize& size : open) {
    const auto name = asAtom(inference_.resolve(atomSize(size.unknown)));
    if (size.changes && name) next.emplace_back(*name, inference_.resolve(size.returned));
  }
  for (const auto& [returned, inside] : pairs) {
    const Size now = inference_.resolve(inside);
    if (asAtom(now)) continue;
    const Size needed = substitute(now, [&](SizeAtom atom) -> std::optional<Size> {
      const auto found = std::find_if(next.begin(), next.end(),
                                      [&](const auto& size) { return size.first == atom; });
      return found == next.end() ? std::nullopt : std::optional(found->second);
    });
    if (inference_.unifySizes(returned, needed)) continue;
    comparison_.report(span(loop.body), body, carried,
                       Mismatch{Mismatch::Kind::kSize, {}, {}, returned, needed, {}},
                       "the body of the loop");
    return;
  }
}

}  // namespace halo::types
