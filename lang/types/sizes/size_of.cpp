// The size that an i64 expression stands for: a polynomial if it is one, else, where that is
// wanted, the expression itself (size_expression.cpp). Works on expressions under inference and on
// finished ones, whose types are read from the tables.
#include <fmt/format.h>

#include "lang/base/match.h"
#include "lang/syntax/lex/number_range.h"
#include "lang/syntax/print/printer.h"
#include "lang/syntax/visit.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/intrinsics.h"
#include "lang/types/sizes/size_of.h"

namespace halo::types {

using namespace syntax;

namespace {

constexpr int kMaxSizeDepth = 64;  // deeper expressions are not followed

}  // namespace

ExprId SizeExpressions::withoutParentheses(ExprId expr) const {
  for (;;) {
    const ExprNode& node = program_.tree.exprs[expr].node;
    if (auto* inner = std::get_if<Parenthesised>(&node)) {
      expr = inner->value;
    } else if (auto* inner = std::get_if<Ascribe>(&node)) {
      expr = inner->value;
    } else if (auto* inner = std::get_if<Attributed>(&node)) {
      expr = inner->value;
    } else if (auto* inner = std::get_if<AssertExpr>(&node)) {
      expr = inner->value;
    } else if (auto* inner = std::get_if<LocalOpen>(&node)) {  // its names have their meanings
      expr = inner->value;
    } else {
      return expr;
    }
  }
}

// `+`, and the `+` of `i64`.
bool SizeExpressions::isBuiltInOperator(ExprId expr, const QualifiedName& op) {
  if (const std::optional<Target> target = factsOf(expr, true).target) {
    if (auto* def = std::get_if<DefTarget>(&*target)) {
      const auto& built_in = program_.defs[def->def].built_in;
      return built_in && std::holds_alternative<PrimMeaning>(*built_in);
    }
    return !std::holds_alternative<LocalTarget>(*target);
  }
  const bool is_finished = program_.type_of.at(expr).valid();
  return !is_finished && op.qualifiers.empty() && !names_.findLocal(op.name) && !names_.findDef(op);
}

// The facts of an expression: its type, and the names it uses.
SizeExpressions::Facts SizeExpressions::factsOf(ExprId expr, bool has_use) {
  Facts facts;
  if (TypeId type = program_.type_of.at(expr)) {
    facts.type = inference_.import(type);
    if (const auto use = program_.use_of.at(expr)) {
      facts.target = use->target;
      for (TypeId argument : use->type_arguments)
        facts.types.push_back(inference_.import(argument));
      for (SizeId size : use->size_arguments) facts.sizes.push_back(inference_.import(size));
    }
    return facts;
  }
  if (!isInferred(expr)) return facts;
  facts.type = inferred_[expr];
  for (size_t i = pending_.uses.size(); has_use && i-- > 0;) {
    const PendingUse& use = pending_.uses[i];
    if (use.expr != expr) continue;
    facts.target = use.target;
    facts.types = use.types;
    facts.sizes = use.sizes;
    break;
  }
  return facts;
}

bool SizeExpressions::isI64(ExprId expr) {
  if (TypeId type = program_.type_of.at(expr)) {
    return type == scalarTypeId(prim::ScalarType::kI64);
  }
  return isInferred(expr) && inference_.asScalar(inferred_[expr]) == prim::ScalarType::kI64;
}

std::optional<Size> SizeExpressions::sizeOf(ExprId expr, Following following, int depth) {
  expr = withoutParentheses(expr);
  bool is_finished = program_.type_of.at(expr).valid();  // and was accepted then
  if (depth > kMaxSizeDepth && !is_finished) return std::nullopt;
  const ExprNode& node = program_.tree.exprs[expr].node;
  if (auto* number = std::get_if<Number>(&node)) {
    if (number->is_decimal || syntax::exceeds64Bits(*number)) return std::nullopt;
    if (number->integer > INT64_MAX) return std::nullopt;
    return constantSize(static_cast<int64_t>(number->integer));
  }
  if (isInferred(expr) && inference_.as<Poison>(inferred_[expr])) {
    return inference_.unknownSize(span(expr));  // of a rejected definition
  }
  if (!isI64(expr)) return std::nullopt;
  if (std::holds_alternative<Variable>(node)) {
    Facts facts = factsOf(expr, true);
    auto* local = facts.target ? std::get_if<LocalTarget>(&*facts.target) : nullptr;
    if (local) return binderSize(local->binder);
    auto* def = facts.target ? std::get_if<DefTarget>(&*facts.target) : nullptr;
    if (def) {
      auto constant = environment_.constants.find(def->def);
      if (constant != environment_.constants.end()) {
        return namedConstant(def->def, constant->second);
      }
    }
  }
  if (const auto* found = std::get_if<Binary>(&node)) {
    const Binary binary = *found;
    const std::string& op = binary.op.name;
    if ((op == "+" || op == "-" || op == "*") && isBuiltInOperator(expr, binary.op)) {
      auto lhs = sizeOf(binary.lhs, following, depth + 1);
      auto rhs = lhs ? sizeOf(binary.rhs, following, depth + 1) : std::nullopt;
      if (!rhs || isTooComplex(*lhs) || isTooComplex(*rhs)) return std::nullopt;
      return op == "+" ? *lhs + *rhs : op == "-" ? *lhs - *rhs : *lhs * *rhs;
    }
  }
  if (auto* let = std::get_if<Let>(&node)) return sizeOfLet(Let(*let), following, depth);
  if (following == Following::kPolynomials) return std::nullopt;
  auto written = expressionOf(expr, depth);
  return written ? std::optional(inference_.expressionSize(*written)) : std::nullopt;
}

// The values of the names that a `let` binds in a size, `[let x = 2 in x + 1]`.
std::optional<Substitution> SizeExpressions::boundBy(const Let& let, Following following,
                                                     int depth) {
  const auto name = exprs_.simpleName(let.pattern);
  if (!name) return std::nullopt;
  if (isI64(let.value)) {
    const auto value = sizeOf(let.value, following, depth + 1);
    if (!value || isTooComplex(*value)) return std::nullopt;
    return Substitution{{}, {{*name, *value}}, {}};
  }
  if (following == Following::kPolynomials) return std::nullopt;
  const auto value = expressionOf(withoutParentheses(let.value), depth + 1);
  return value ? std::optional(Substitution{{}, {}, {{*name, *value}}}) : std::nullopt;
}

std::optional<Size> SizeExpressions::sizeOfLet(const Let& let, Following following, int depth) {
  const auto body = sizeOf(let.body, following, depth + 1);
  if (!body || isTooComplex(*body)) return std::nullopt;
  const auto bound = boundBy(let, following, depth);
  if (!bound) return std::nullopt;
  const Size whole = inference_.instantiate(*body, *bound);
  return inference_.isHeavy(whole) ? std::nullopt : std::optional(whole);
}

// A part of a size expression: a size if it is an i64.
std::optional<SizeOperand> SizeExpressions::operandOf(ExprId expr, int depth) {
  expr = withoutParentheses(expr);
  if (isI64(expr)) {
    auto size = sizeOf(expr, Following::kExpressions, depth);
    return size ? std::optional<SizeOperand>(*size) : std::nullopt;
  }
  auto written = expressionOf(expr, depth);
  return written ? std::optional<SizeOperand>(*written) : std::nullopt;
}

// Whether it uses no local names but its own.
bool SizeExpressions::isClosed(ExprId expr) {
  const Span whole = span(expr);
  std::vector<ExprId> open = {expr};
  while (!open.empty()) {
    const ExprId part = open.back();
    open.pop_back();
    const ExprNode& node = program_.tree.exprs[part].node;
    if (std::holds_alternative<Variable>(node)) {
      const Facts facts = factsOf(part, true);
      auto* local = facts.target ? std::get_if<LocalTarget>(&*facts.target) : nullptr;
      const Span bound = local ? program_.binders[local->binder].span : whole;
      if (bound.begin < whole.begin || bound.begin > whole.end) return false;
    }
    forEachChild(program_.tree.exprs[part].node, [&](ExprId child) { open.push_back(child); });
  }
  return true;
}

// A node without its parts; nothing for nodes that bind names or consume.
std::optional<SizeExpressions::SizeHead> SizeExpressions::headOf(ExprId expr,
                                                                 const ExprNode& node) {
  auto operatorHead = [&](const QualifiedName& op, const char* kind) -> std::optional<SizeHead> {
    if (isBuiltInOperator(expr, op)) return SizeHead{kind + op.name, true, false};
    return SizeHead{kind, false, true};
  };
  if (std::holds_alternative<Apply>(node)) return SizeHead{"apply", true, false};
  if (auto* variable = std::get_if<Variable>(&node)) {  // an operator may be one: `(+)`
    const QualifiedName& name = variable->name;
    bool is_operator = binaryOperator(name.name) || name.name == "!";
    return is_operator ? operatorHead(name, "use") : SizeHead{"use", false, true};
  }
  if (auto* binary = std::get_if<Binary>(&node)) return operatorHead(binary->op, "binary");
  if (auto* section = std::get_if<OperatorSection>(&node)) {
    return operatorHead(section->op, section->lhs ? "left" : "right");
  }
  if (auto* unary = std::get_if<Unary>(&node)) return SizeHead{"unary" + unary->op, true, false};
  if (auto* project = std::get_if<Project>(&node)) {
    return SizeHead{"." + project->field.name, true, false};
  }
  if (std::holds_alternative<Number>(node) || std::holds_alternative<BoolLiteral>(node) ||
      std::holds_alternative<StringLiteral>(node)) {
    return SizeHead{"literal" + print(program_.tree, expr), true, false};
  }
  if (std::holds_alternative<If>(node)) return SizeHead{"if", false, false};
  if (std::holds_alternative<TupleExpr>(node)) return SizeHead{"tuple", true, false};
  if (std::holds_alternative<ArrayExpr>(node)) return SizeHead{"array", false, false};
  if (auto* record = std::get_if<RecordExpr>(&node)) {
    SizeHead head{"record", true, false};
    for (const auto& [name, value] : record->fields) head.text += " " + name.name;
    return head;
  }
  if (auto* update = std::get_if<RecordUpdate>(&node)) {
    SizeHead head{"with", true, false};
    for (const Identifier& field : update->path) head.text += " " + field.name;
    return head;
  }
  if (std::holds_alternative<Lambda>(node) && isClosed(expr)) {
    return SizeHead{"lambda" + print(program_.tree, expr), false, false};
  }
  if (auto* range = std::get_if<RangeExpr>(&node)) {
    const char* step = range->second ? " by " : " ";
    return SizeHead{fmt::format("range{}{}", step, static_cast<int>(range->end)), false, false};
  }
  if (auto* index = std::get_if<IndexExpr>(&node)) {
    SizeHead head{"index", true, false};
    for (const IndexPart& part : index->parts) {
      const bool bounds[] = {part.start.valid(), part.end.valid(), part.stride.valid()};
      head.text += part.is_slice ? fmt::format(" {}", fmt::join(bounds, ":")) : " i";
    }
    return head;
  }
  return std::nullopt;
}

std::optional<SizeExprId> SizeExpressions::expressionOf(ExprId expr, int depth) {
  const ExprNode node = program_.tree.exprs[expr].node;
  if (auto* let = std::get_if<Let>(&node)) {  // of an argument that brings a size, for one
    const auto body = expressionOf(withoutParentheses(let->body), depth + 1);
    const auto bound = body ? boundBy(*let, Following::kExpressions, depth) : std::nullopt;
    if (!bound) return std::nullopt;
    const SizeExprId whole = inference_.instantiate(*body, *bound);
    return inference_.isHeavy(whole) ? std::nullopt : std::optional(whole);
  }
  auto head = headOf(expr, node);
  bool is_finished = program_.type_of.at(expr).valid();
  if (!head || (depth > kMaxSizeDepth && !is_finished)) return std::nullopt;
  Facts facts = factsOf(expr, head->has_use);
  if (!facts.type || inference_.as<Poison>(facts.type)) return std::nullopt;
  SizeExpr made;
  made.is_cheap = head->is_cheap;
  made.head = head->text;
  made.prototype = expr;
  made.type = facts.type;
  made.type_arguments = facts.types;
  made.size_arguments = facts.sizes;
  if (head->has_use) {
    if (!facts.target) return std::nullopt;
    if (auto* local = std::get_if<LocalTarget>(&*facts.target)) {
      if (std::holds_alternative<Variable>(node)) {
        return inference_.sizeVariable(local->binder, facts.type);
      }
      return std::nullopt;
    }
    auto* def = std::get_if<DefTarget>(&*facts.target);
    if (!def) return std::nullopt;
    const auto size_function = environment_.size_meanings.find(def->def);
    made.head +=
        "#" + (size_function == environment_.size_meanings.end() ? std::to_string(def->def.index)
                                                                 : size_function->second);
    const Def& meaning = program_.defs[def->def];
    made.is_cheap = (meaning.built_in && !std::holds_alternative<Intrinsic>(*meaning.built_in)) ||
                    (meaning.is_prelude && meaning.name == "length") ||
                    !inference_.as<InferFunction>(facts.type);  // a constant is computed once
  }
  std::vector<ExprId> children;
  if (!std::holds_alternative<Lambda>(node)) {  // one that is closed has no parts
    forEachChild(node, [&](ExprId child) { children.push_back(child); });
  }
  for (ExprId child : children) {
    auto part = operandOf(child, depth + 1);
    if (!part) return std::nullopt;
    made.parts.push_back(std::move(*part));
  }
  SizeExprId id = inference_.internExpression(std::move(made));
  return inference_.isHeavy(id) && !is_finished ? std::nullopt : std::optional(id);
}

}  // namespace halo::types
