// Inference of expressions: dispatch, literals, names, tuples, records, lambdas, let, if and the
// forms that carry a type. Operators, application, arrays and loops have files of their own.
#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/project_out.h"
#include "lang/types/declare/attributes.h"
#include "lang/types/declare/declare.h"
#include "lang/types/declare/elaborate_type.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_apply.h"
#include "lang/types/infer/infer_array.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/infer/infer_loop.h"
#include "lang/types/report.h"
#include "lang/types/sizes/size_of.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

namespace {

constexpr int kMaxDepth = 2000;  // the parser allows 256; operators nest a little deeper

// Long chains lean to the left (`a + b + c ..`): their depth is not nesting.
ExprId leftPart(const ExprNode& node) {
  if (auto* binary = std::get_if<Binary>(&node)) {
    return binary->op.name == "<|" ? ExprId() : binary->lhs;
  }
  if (auto* index = std::get_if<IndexExpr>(&node)) return index->array;
  if (auto* update = std::get_if<UpdateExpr>(&node)) return update->array;
  if (auto* update = std::get_if<RecordUpdate>(&node)) return update->record;
  if (auto* project = std::get_if<Project>(&node)) return project->record;
  return {};
}

}  // namespace

TypeRef ExprInferrer::infer(ExprId expr, TypeRef hint) {
  if (isInferred(expr)) return inferred_[expr];
  std::vector<ExprId> chain;
  for (ExprId left = leftPart(program_.tree.exprs[expr].node); left && !isInferred(left);
       left = leftPart(program_.tree.exprs[left].node)) {
    chain.push_back(left);
  }
  // One link is the ordinary case, and wants the hints that its own rule gives.
  for (size_t i = chain.size(); chain.size() > 1 && i-- > 0;) infer(chain[i]);
  if (++depth_ > kMaxDepth) {
    sink_.error(Code::nesting_too_deep, span(expr), "this expression is nested too deeply");
    --depth_;
    return inferred_[expr] = poison();
  }
  TypeRef type = inferNode(expr, hint);
  --depth_;
  if (inference_.isHuge(type)) {
    sink_.error(Code::nesting_too_deep, span(expr), "the type of this expression is too large");
    type = poison();
  }
  inferred_[expr] = type;
  pending_.types.emplace_back(expr, type);
  return type;
}

TypeRef ExprInferrer::check(ExprId expr, TypeRef needed, std::string_view what) {
  TypeRef found = infer(expr, needed);
  comparison_.require(span(expr), found, needed, what);
  return found;
}

TypeRef ExprInferrer::inferNode(ExprId expr, TypeRef hint) {
  const ExprNode& whole = program_.tree.exprs[expr].node;
  if (std::holds_alternative<Apply>(whole)) return applications_.inferApply(expr);
  if (std::holds_alternative<Let>(whole) || std::holds_alternative<LetFunction>(whole)) {
    return inferLets(expr, hint);
  }
  const ExprNode node = program_.tree.exprs[expr].node;  // a copy: inference may add nodes
  return base::match(
      node, [&](const Number& n) { return inferNumber(expr, n, hint); },
      [&](const BoolLiteral&) { return boolean(); },
      [&](const StringLiteral& n) {
        return inference_.array(constantSize(static_cast<int64_t>(n.bytes.size())),
                                inference_.scalar(prim::ScalarType::kU8));
      },
      [&](const Variable& n) { return inferVariable(expr, n, hint); },
      [&](const TupleExpr& n) { return inferTuple(n, hint); },
      [&](const RecordExpr& n) { return inferRecord(n, hint); },
      [&](const ArrayExpr& n) { return arrays_.inferArrayLiteral(expr, n, hint); },
      [&](const RangeExpr& n) { return arrays_.inferRange(expr, n, hint); },
      [&](const Project& n) { return project(infer(n.record), n.field); },
      [&](const IndexExpr& n) { return arrays_.inferIndex(expr, n); },
      [&](const UpdateExpr& n) { return arrays_.inferUpdate(n); },
      [&](const RecordUpdate& n) { return inferRecordUpdate(n); },
      [](const Apply&) -> TypeRef { HALO_UNREACHABLE("inferred above"); },
      [&](const Unary& n) { return applications_.inferUnary(expr, n, hint); },
      [&](const Binary& n) { return applications_.inferBinary(expr, n, hint); },
      [&](const OperatorSection& n) { return applications_.inferSection(expr, n); },
      [&](const ProjectSection& n) { return inferProjectSection(n, hint, span(expr)); },
      [&](const IndexSection& n) { return arrays_.inferIndexSection(expr, n, hint); },
      [&](const Lambda& n) { return inferLambda(expr, n, hint); },
      [](const Let&) -> TypeRef { HALO_UNREACHABLE("inferred above"); },
      [](const LetFunction&) -> TypeRef { HALO_UNREACHABLE("inferred above"); },
      [&](const If& n) { return inferIf(expr, n, hint); },
      [&](const Loop& n) { return loops_.inferLoop(expr, n); },
      [&](const Ascribe& n) { return inferAscribe(expr, n); },
      [&](const Coerce& n) { return inferCoerce(expr, n); },
      [&](const AssertExpr& n) {
        check(n.condition, boolean(), "the condition of `assert`");
        TypeRef type = infer(n.value, hint);
        if (unsafe_ > 0) declarations_.rewrite(expr, Parenthesised{n.value});
        return type;
      },
      [&](const PathUpdate& n) { return inferPathUpdate(expr, n, hint); },
      [&](const PathSection& n) { return inferPathSection(expr, n, hint); },
      [&](const Constructor& n) { return inferConstructor(expr, n, hint); },
      [&](const MatchExpr& n) { return inferMatch(expr, n, hint); },
      [&](const Hole&) {
        TypeRef type = inference_.unknown(span(expr));
        pending_.holes.push_back(expr);
        return type;
      },
      [&](const LocalOpen& n) { return names_.inferLocalOpen(n, hint); },
      [&](const Attributed& n) {  // in `#[unsafe] e` no `assert` is one
        if (const auto wrong = badAttribute(n.attribute.text)) {
          sink_.error(Code::bad_attribute, n.attribute.span, *wrong);
        }
        const bool is_unsafe = n.attribute.text == "unsafe";
        unsafe_ += is_unsafe ? 1 : 0;
        TypeRef type = infer(n.value, hint);
        unsafe_ -= is_unsafe ? 1 : 0;
        const auto param = paramOf(n.attribute);
        if (!param || !comparison_.require(span(expr), type, i64(), "a tuning parameter"))
          return type;
        Number number{false, static_cast<uint64_t>(*param), {}, prim::ScalarType::kI64};
        declarations_.rewrite(expr, std::move(number));
        return inferNode(expr, hint);
      },
      [&](const Parenthesised& n) { return infer(n.value, hint); });
}

// ---- literals and names

TypeRef ExprInferrer::overloaded(Span origin, Allowed allowed) {
  TypeRef type = inference_.unknown(origin, allowed);
  pending_.overloaded.push_back(type);
  return type;
}

TypeRef ExprInferrer::inferNumber(ExprId expr, const Number& number, TypeRef hint) {
  Allowed allowed = allowedAt(number.is_decimal ? prim::Operands::kFloat : prim::Operands::kNum);
  TypeRef type;
  auto expected = hint ? inference_.asScalar(hint) : std::nullopt;
  if (number.suffix) {
    type = inference_.scalar(*number.suffix);
  } else if (expected && (allowed & allow(*expected))) {
    type = inference_.scalar(*expected);
  } else {
    type = overloaded(span(expr), allowed);
  }
  pending_.literals.push_back({expr, type, false});
  return type;
}

TypeRef ExprInferrer::inferVariable(ExprId expr, const Variable& variable, TypeRef hint) {
  const QualifiedName& name = variable.name;
  const bool may_expand = hint && current_ && current_->has_shapes;
  if (may_expand && declarations_.writeEtaExpansion(expr, hint)) return inferNode(expr, hint);
  if (!name.qualifiers.empty()) {
    size_t length = names_.valueLength(name);
    if (length > 0 && length < name.qualifiers.size() + 1) {
      declarations_.rewrite(
          expr, ExprNode(program_.tree.exprs[expr].node));  // projectOut changes it in place
      projectOut(program_.tree, expr, length);
      return inferNode(expr, {});
    }
  }
  if (auto type = names_.useName(expr, name)) return *type;
  if (name.qualifiers.empty() && !std::isalpha(static_cast<unsigned char>(name.name[0])) &&
      name.name[0] != '_') {
    return applications_.operatorFunction(expr, name.name, name.span);
  }
  bool is_self = current_ && name.qualifiers.empty() && name.name == current_->name;
  if (is_self) {
    sink_.error(Code::recursive_definition, name.span,
                fmt::format("`{}` is defined by itself, only functions may be", name.name));
  } else {
    names_.reportUnknownName(name);
  }
  return poison();
}

// ---- tuples and records

TypeRef ExprInferrer::inferTuple(const TupleExpr& tuple, TypeRef hint) {
  const InferRecord* hinted = hint ? inference_.as<InferRecord>(hint) : nullptr;
  std::vector<TypeRef> hints = hinted ? hinted->fields : std::vector<TypeRef>();
  hints.resize(tuple.elements.size());
  std::vector<TypeRef> fields;
  for (size_t i = 0; i < tuple.elements.size(); ++i) {
    fields.push_back(infer(tuple.elements[i], hints[i]));
  }
  return inference_.tuple(std::move(fields));
}

TypeRef ExprInferrer::inferRecord(const RecordExpr& record, TypeRef hint) {
  std::vector<std::pair<std::string, TypeRef>> fields;
  for (const auto& [name, value] : record.fields) {
    TypeRef field_hint;
    if (const InferRecord* hinted = hint ? inference_.as<InferRecord>(hint) : nullptr) {
      auto found = std::find(hinted->names.begin(), hinted->names.end(), name.name);
      if (found != hinted->names.end()) {
        field_hint = hinted->fields[static_cast<size_t>(found - hinted->names.begin())];
      }
    }
    fields.emplace_back(name.name, infer(value, field_hint));
  }
  std::sort(fields.begin(), fields.end(),
            [](const auto& a, const auto& b) { return isFieldBefore(a.first, b.first); });
  InferRecord type;
  for (auto& [name, field] : fields) {
    type.names.push_back(name);
    type.fields.push_back(field);
  }
  return inference_.record(std::move(type));
}

// ---- functions

TypeRef ExprInferrer::inferLambda(ExprId, const Lambda& lambda, TypeRef hint) {
  size_t mark = locals_.mark();
  size_t first_binder = program_.binders.size();
  for (PatternId parameter : lambda.parameters) {
    TypeRef type = patternType(parameter, Anonymous::kUnknown);
    const InferFunction* expected = hint ? inference_.as<InferFunction>(hint) : nullptr;
    std::optional<BinderId> outside;  // the parameter's name in the expected type
    if (expected) {
      TypeRef needed = expected->parameter;
      hint = expected->result;
      outside = expected->parameter_name;
      comparison_.require(span(parameter), type, needed, "this parameter");
    } else {
      hint = {};
    }
    bindAlways(parameter, type, Anonymous::kUnknown);
    const auto name = outside ? simpleName(parameter) : std::nullopt;
    if (name && inference_.asScalar(type) == prim::ScalarType::kI64) {
      hint = inference_.instantiate(hint, {{}, {{*outside, binderSize(*name)}}, {}});
    }
  }
  TypeRef result = infer(lambda.body, hint);
  if (lambda.result) {
    std::vector<BinderId> declared;  // `?[k].[k]t`: the body determines k
    auto* outer = std::exchange(context_.fresh_sizes, &declared);
    TypeRef annotated = elaborator_.elaborate(lambda.result, Anonymous::kUnknown);
    context_.fresh_sizes = outer;
    declarations_.rejectInnerNames({{}, {}, lambda.parameters, lambda.result, {}}, annotated,
                                   declared, first_binder);
    Substitution hidden;
    for (BinderId size : declared) {
      hidden.sizes.emplace_back(size, inference_.unknownSize(program_.binders[size].span));
    }
    annotated = inference_.instantiate(annotated, hidden);
    comparison_.require(span(lambda.body), result, annotated, "the result");
    result = annotated;
  }
  locals_.popTo(mark);
  FunctionParts parts;
  parts.parameters = lambda.parameters;
  parts.result = lambda.result;
  return declarations_.closeFunction(parts, result, first_binder, {}, Declarations::Reach::kLocal);
}

// Runs of `let` are walked, not recursed into: programs written by machines have thousands.
TypeRef ExprInferrer::inferLets(ExprId expr, TypeRef hint) {
  size_t mark = locals_.mark();
  std::vector<ExprId> lets;
  for (;;) {
    const ExprNode node = program_.tree.exprs[expr].node;
    auto* let = std::get_if<Let>(&node);
    if (let && current_ && current_->has_shapes && declarations_.writeLocalFunction(expr, *let))
      continue;
    if (let) {
      inferLetValue(expr, *let);
      lets.push_back(expr);
      expr = let->body;
    } else if (auto* function = std::get_if<LetFunction>(&node)) {
      inferLetFunction(expr, *function);
      lets.push_back(expr);
      expr = function->body;
    } else {
      break;
    }
  }
  TypeRef type = infer(expr, hint);
  locals_.popTo(mark);
  for (ExprId let : lets) endScopeOf(let);
  for (size_t i = 1; i < lets.size(); ++i) {  // infer() records the first
    inferred_[lets[i]] = type;
    pending_.types.emplace_back(lets[i], type);
  }
  return type;
}

void ExprInferrer::endScopeOf(ExprId let) {
  const auto* node = std::get_if<Let>(&program_.tree.exprs[let].node);
  if (node == nullptr) return;
  for (const auto& [name, value] : namedParts(node->pattern, node->value)) {
    if (inference_.isNamed(name)) inference_.endScopeOf(name);
  }
}

// `let ((a, b), c) = ((x, y), z)` names three expressions.
std::vector<std::pair<BinderId, ExprId>> ExprInferrer::namedParts(PatternId pattern,
                                                                  ExprId value) const {
  if (const auto name = simpleName(pattern)) return {{*name, value}};
  const auto* names = std::get_if<PatternTuple>(&program_.tree.patterns[pattern].node);
  const auto* values = std::get_if<TupleExpr>(&program_.tree.exprs[value].node);
  std::vector<std::pair<BinderId, ExprId>> parts;
  if (names == nullptr || values == nullptr) return parts;
  for (size_t k = 0; k < std::min(names->elements.size(), values->elements.size()); ++k) {
    auto inner = namedParts(names->elements[k], values->elements[k]);
    parts.insert(parts.end(), inner.begin(), inner.end());
  }
  return parts;
}

void ExprInferrer::inferLetValue(ExprId expr, const Let& let) {
  // The size names are in scope of the pattern, not of the value.
  size_t mark = locals_.mark();
  declareSizeNames(expr, let.sizes);
  TypeRef pattern_type = patternType(let.pattern, Anonymous::kUnknown);
  locals_.popTo(mark);
  rejectUnusedSizes(expr, let.sizes, pattern_type);
  const std::vector<BinderId> names = program_.size_names.at(expr);
  Substitution open;  // the value is to determine them
  for (BinderId name : names) open.sizes.emplace_back(name, inference_.unknownSize(span(expr)));
  TypeRef value = infer(let.value, inference_.instantiate(pattern_type, open));
  if (requireValue(let.pattern, span(let.value), value, pattern_type, names) && names.empty() &&
      inference_.isUnknown(pattern_type)) {
    pattern_type = value;
  }
  declareSizeNames(expr, let.sizes);
  bindAlways(let.pattern, pattern_type, Anonymous::kUnknown);
  for (const auto& [name, part] : namedParts(let.pattern, let.value)) {
    if (inference_.asScalar(inferred_[part]) != prim::ScalarType::kI64) continue;
    auto size = sizes_.sizeOf(part, SizeExpressions::Following::kExpressions);
    if (size && !isTooComplex(*size)) inference_.defineNamed(name, std::move(*size));
  }
}

// `let [n] p = e`: only the type of p can determine n.
void ExprInferrer::rejectUnusedSizes(ExprId expr, const std::vector<Identifier>& names,
                                     TypeRef type) {
  if (names.empty()) return;
  const std::vector<SizeAtom> atoms = inference_.sizeAtoms(type, Inference::SizesOf::kValues);
  const std::vector<BinderId> binders = program_.size_names.at(expr);
  for (size_t i = 0; i < names.size(); ++i) {
    SizeAtom atom{false, binders[i].index};
    if (std::find(atoms.begin(), atoms.end(), atom) != atoms.end()) continue;
    sink_.error(Code::size_not_determined, names[i].span,
                fmt::format("`{}` is not the size of anything in the pattern", names[i].name));
  }
}

void ExprInferrer::inferLetFunction(ExprId expr, const LetFunction& let) {
  size_t mark = locals_.mark();
  size_t type_mark = locals_.type_params.size();
  FunctionInfo info = declarations_.inferFunction(let.function);
  locals_.popTo(mark);
  locals_.type_params.resize(type_mark);
  const Identifier& name = let.function.name;
  BinderId binder = names_.newBinder(name.name, name.span, info.type);
  locals_.add({name.name, binder, info.type, {info.type_parameters, info.size_parameters}});
  pending_.functions.push_back(
      {expr, {binder, info.type_parameters, info.size_parameters, {}}, info.result});
}

// ---- choice and types

namespace {

bool isAfter(Span later, Span earlier) {
  return later.file == earlier.file && later.begin >= earlier.end;
}

// Whether unknowns may make the sizes of two branches one. An unknown in a size from outside, such
// as one that a loop carries, may be a size from there, but none that came up since. Two products,
// such as `n * m` and `n * k`, may be one if their factors may.
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

// Whether a branch gives an array whose size is open in the type of a variable, and the other
// branch one of another size: uses of the variable decide its size, not this meeting.
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

TypeRef ExprInferrer::inferAscribe(ExprId expr, const Ascribe& ascribe) {
  TypeRef type = elaborator_.elaborate(ascribe.type, Anonymous::kUnknown);
  check(ascribe.value, type, "the value");
  pending_.coercions.emplace_back(expr, type);
  return type;
}

// The tuning file's value for `#[param(name)]`.
std::optional<int64_t> ExprInferrer::paramOf(const Attribute& attribute) const {
  const std::string& text = attribute.text;
  if (!text.starts_with("param(") || !text.ends_with(")")) return std::nullopt;
  const auto found = options_.params.find(text.substr(6, text.size() - 7));
  return found == options_.params.end() ? std::nullopt : std::optional(found->second);
}

TypeRef ExprInferrer::inferCoerce(ExprId expr, const Coerce& coerce) {
  TypeRef type = elaborator_.elaborate(coerce.type, Anonymous::kUnknown);
  const bool is_sum = inference_.as<InferSum>(type) != nullptr;
  TypeRef value = infer(coerce.value, is_sum ? TypeRef() : type);
  auto* sum = inference_.as<InferSum>(type);
  if (const Row* row = sum ? inference_.rowOf(value) : nullptr) {
    // `#none :> opt ([n]t)`: no array is there whose size could become another. `[]` is any size.
    auto isFixed = [&](TypeRef part) {
      const std::vector<SizeAtom> atoms = inference_.sizeAtoms(part);
      return !inference_.isPlain(part) &&
             (atoms.empty() || std::any_of(atoms.begin(), atoms.end(),
                                           [](SizeAtom atom) { return !atom.is_unknown; }));
    };
    for (size_t i = 0; i < sum->constructors.size(); ++i) {
      const bool is_there =
          std::any_of(row->constructors.begin(), row->constructors.end(),
                      [&](const auto& known) { return known.first == sum->constructors[i]; });
      const auto& payload = sum->payloads[i];
      if (is_there || std::none_of(payload.begin(), payload.end(), isFixed)) continue;
      sink_.error(Code::size_not_determined, span(coerce.value),
                  fmt::format("nothing determines the sizes in `#{}` that this changes",
                              sum->constructors[i]));
      return poison();
    }
  }
  Inference::SizePairs sizes;
  if (auto mismatch = inference_.unifyShapes(value, type, sizes)) {
    comparison_.report(span(coerce.value), value, type, *mismatch, "the value");
    return poison();
  }
  const bool is_variable = std::holds_alternative<Variable>(
      program_.tree.exprs[sizes_.withoutParentheses(coerce.value)].node);
  // It is checked at run time; only sizes without another source follow from it.
  for (const auto& [found, needed] : sizes) {
    const auto value_size = asAtom(inference_.resolve(found));
    const bool is_open = value_size && value_size->is_unknown && !loops_.isCarried(*value_size);
    if (is_open && is_variable && !hasUnknown(inference_.resolve(needed))) {
      pending_.coerced.emplace_back(found, needed);
      continue;
    }
    if (is_open || hasUnknown(inference_.resolve(needed))) inference_.unifySizes(found, needed);
  }
  pending_.coercions.emplace_back(expr, type);
  return type;
}

}  // namespace halo::types
