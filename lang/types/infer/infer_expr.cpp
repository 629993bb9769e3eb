// Inference of expressions: dispatch, literals, names, tuples, records, lambdas and the forms that
// carry a type. Operators, application, arrays, loops, `let` and branches have files of their own.
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
      [&](const Project& n) { return inferProject(n); },
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
        return param ? inferParam(expr, *param, type) : type;
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
  return inference_.recordOf(std::move(fields));
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

// ---- forms that carry a type

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

// The user's number in place of an expression of any integer type.
TypeRef ExprInferrer::inferParam(ExprId expr, int64_t param, TypeRef type) {
  const TypeRef integer = overloaded(span(expr), allowedAt(prim::Operands::kInt));
  if (!comparison_.require(span(expr), type, integer, "a tuning parameter")) return type;
  const auto digits = static_cast<uint64_t>(param);
  Number number{false, param < 0 ? -digits : digits, {}, {}};
  if (param < 0) {
    const ExprId operand = program_.tree.exprs.add({std::move(number), span(expr)});
    declarations_.rewrite(expr, Unary{"-", operand});
  } else {
    declarations_.rewrite(expr, std::move(number));
  }
  const TypeRef made = inferNode(expr, type);
  comparison_.require(span(expr), made, type, "a tuning parameter");
  return made;
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
