// Operators: overloaded built-in ones, those that the program or the prelude defines, sections.
#include <fmt/format.h>

#include <algorithm>

#include "lang/types/declare/declare.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_apply.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/intrinsics.h"
#include "lang/types/report.h"

namespace halo::types {

using diag::Code;
using namespace syntax;
using prim::Op;

namespace {

bool isLogic(const QualifiedName& op) {
  return op.qualifiers.empty() && (op.name == "&&" || op.name == "||");
}

// Scalars have an order, nothing else.
Allowed operandsOf(Op op) {
  bool is_order = op == Op::kLt || op == Op::kLe || op == Op::kGt || op == Op::kGe;
  if (!is_order) return allowedAt(prim::info(op).operands);
  return allowedAt(prim::Operands::kNum) | allow(prim::ScalarType::kBool);
}

// A type alone tells no text from numbers: of bytes both are said, unless one side is a literal.
void helpForArray(diag::Diagnostic& diagnostic, const std::string& symbol, bool is_bytes,
                  bool is_literal) {
  if (!is_literal) {
    diagnostic.notes.push_back(
        fmt::format("help: for each element of an array write `map (\\x -> x {0} ..) xs`, "
                    "for those of two `map2 ({0}) xs ys`",
                    symbol));
  }
  if (is_bytes && symbol == "+") diagnostic.notes.emplace_back("help: `++` joins two texts");
}

}  // namespace

TypeRef ApplyInferrer::resultOf(Op op, TypeRef operand) {
  switch (prim::info(op).result) {
    case prim::ResultRule::kSame:
      return operand;
    case prim::ResultRule::kBoolResult:
      return boolean();
    case prim::ResultRule::kI32Result:
      return inference_.scalar(prim::ScalarType::kI32);
  }
  HALO_UNREACHABLE("unknown result rule");
}

bool ApplyInferrer::requireOperand(Span span, TypeRef found, TypeRef operand,
                                   const std::string& symbol, bool is_text) {
  const MaybeMismatch mismatch = comparison_.compare(span, found, operand);
  if (!mismatch) return true;
  const std::string needed = inference_.print(operand);
  if (mismatch->kind != Mismatch::Kind::kType || needed == "_" ||
      inference_.as<InferParam>(found)) {
    comparison_.report(span, found, operand, *mismatch, fmt::format("an operand of `{}`", symbol));
    return false;
  }
  auto& diagnostic = sink_.error(Code::operator_type, span,
                                 fmt::format("an operand of `{}` has type `{}`, but {} is needed",
                                             symbol, inference_.print(found), withArticle(needed)));
  const auto* array = inference_.as<InferArray>(found);
  if (inference_.as<InferFunction>(found)) {
    diagnostic.notes.push_back(
        symbol == "-" ? "help: a negative argument stands in parentheses, `f (-1)`, "
                        "and an operator: `reduce (-) 0 xs`"
                      : fmt::format("help: as an argument the operator is `({})`", symbol));
  } else if (symbol == "^" && inference_.asScalar(found)) {
    diagnostic.notes.emplace_back("help: `x ** 2` is a power");
  } else if (array) {
    const bool is_bytes = inference_.asScalar(array->element) == prim::ScalarType::kU8;
    helpForArray(diagnostic, symbol, is_bytes, is_text && symbol == "+");
  }
  return false;
}

TypeRef ApplyInferrer::inferUnary(ExprId expr, const Unary& unary, TypeRef hint) {
  Op op = *unaryOperator(unary.op);
  Allowed allowed = allowedAt(prim::info(op).operands);
  TypeRef found = exprs_.infer(unary.operand, hint);
  if (op == Op::kNeg && !pending_.literals.empty() &&
      pending_.literals.back().expr == unary.operand) {
    pending_.literals.back().is_negated = true;
  }
  TypeRef operand = exprs_.overloaded(span(unary.operand), allowed);
  if (!requireOperand(span(unary.operand), found, operand, unary.op)) return poison();
  pending_.operators.push_back({expr, op, operand});
  return operand;
}

std::optional<std::string> ApplyInferrer::pipeOf(const QualifiedName& op) const {
  if (op.name != "|>" && op.name != "<|" && op.name != ">->" && op.name != "<-<") {
    return std::nullopt;
  }
  auto def = names_.findDef(op);
  if (!def || !program_.defs[*def].is_prelude) return std::nullopt;
  return op.name;
}

// Pipes become applications, which lets sizes flow through them as through any argument.
TypeRef ApplyInferrer::inferBinary(ExprId expr, const Binary& binary, TypeRef hint) {
  if (isLogic(binary.op)) {
    exprs_.check(binary.lhs, boolean(), fmt::format("an operand of `{}`", binary.op.name));
    exprs_.check(binary.rhs, boolean(), fmt::format("an operand of `{}`", binary.op.name));
    Logic logic = binary.op.name == "&&" ? Logic::kAnd : Logic::kOr;
    pending_.uses.push_back({expr, LogicTarget{logic}, {}, {}});
    return boolean();
  }
  if (auto pipe = pipeOf(binary.op)) {
    if (*pipe == ">->" || *pipe == "<-<") {
      bool is_forward = *pipe == ">->";
      ExprId first = is_forward ? binary.lhs : binary.rhs;
      ExprId second = is_forward ? binary.rhs : binary.lhs;
      if (givesNewSizes(first)) {
        reportExistentialComposition(first);
        exprs_.infer(second);
        return poison();
      }
      if (givesNewSizes(second)) {
        writeComposition(expr, first, second);
        return exprs_.inferNode(expr, hint);
      }
      return applyAll(*names_.useName(expr, binary.op), {binary.lhs, binary.rhs}, {},
                      {binary.op.name, binary.op.span});
    }
    bool argument_first = *pipe == "|>";
    ExprId function = argument_first ? binary.rhs : binary.lhs;
    ExprId argument = argument_first ? binary.lhs : binary.rhs;
    (argument_first ? context_.size_order.argument_first : context_.size_order.function_first)
        .insert(expr);
    declarations_.rewrite(expr, Apply{function, argument});
    return inferApply(expr);
  }
  if (auto function = names_.useName(expr, binary.op)) {
    return applyAll(*function, {binary.lhs, binary.rhs}, {}, {binary.op.name, binary.op.span});
  }
  auto op = binary.op.qualifiers.empty() ? binaryOperator(binary.op.name) : std::nullopt;
  if (op) return inferBuiltInBinary(expr, *op, binary, hint);
  names_.reportUnknownName(binary.op);
  exprs_.infer(binary.lhs);
  exprs_.infer(binary.rhs);
  return poison();
}

namespace {

// Evaluating it again costs nothing.
bool isSimpleFunction(const Tree& tree, ExprId expr) {
  const ExprNode& node = tree.exprs[expr].node;
  if (auto* inner = std::get_if<Parenthesised>(&node)) return isSimpleFunction(tree, inner->value);
  if (auto* apply = std::get_if<Apply>(&node)) {
    return isSimpleFunction(tree, apply->function) && isSimpleFunction(tree, apply->argument);
  }
  if (auto* section = std::get_if<OperatorSection>(&node)) {
    return isSimpleFunction(tree, section->lhs ? section->lhs : section->rhs);
  }
  return std::holds_alternative<Variable>(node) || std::holds_alternative<Lambda>(node) ||
         std::holds_alternative<Number>(node) || std::holds_alternative<ProjectSection>(node) ||
         std::holds_alternative<BoolLiteral>(node);
}

}  // namespace

// `filter p >-> length`: the size of the array between them has no name.
void ApplyInferrer::reportExistentialComposition(ExprId first) {
  auto& diagnostic = sink_.error(
      Code::size_escapes, span(first),
      "only the result of this function knows its size, so no other function is composed with it");
  diagnostic.notes.push_back("help: write pipes, `\\xs -> xs |> f |> g`");
}

// Whether a function gives sizes that only its result knows.
bool ApplyInferrer::givesNewSizes(ExprId function) {
  auto* type = inference_.as<InferFunction>(exprs_.infer(function));
  return type && !type->existentials.empty();
}

// Where sizes come up, `f >-> g` becomes `\x -> g (f x)`, in which they have a place. `first` is
// applied first.
void ApplyInferrer::writeComposition(ExprId expr, ExprId first, ExprId second) {
  Tree& tree = program_.tree;
  const Span where = span(expr);
  auto variable = [&](const char* name) {
    return tree.exprs.add({Variable{{{}, name, where}}, where});
  };
  auto pattern = [&](const char* name) {
    return tree.patterns.add({PatternName{{name, where}}, where});
  };
  bool is_simple = isSimpleFunction(tree, first) && isSimpleFunction(tree, second);
  ExprId first_use = is_simple ? first : variable("$first");
  ExprId second_use = is_simple ? second : variable("$second");
  ExprId inner = tree.exprs.add({Apply{first_use, variable("$value")}, where});
  ExprId body = tree.exprs.add({Apply{second_use, inner}, where});
  Lambda lambda{{pattern("$value")}, {}, body};
  if (is_simple) {
    declarations_.rewrite(expr, std::move(lambda));
    return;
  }
  bool in_order = span(first).begin <= span(second).begin;
  ExprId early = in_order ? first : second, late = in_order ? second : first;
  ExprId function = tree.exprs.add({std::move(lambda), where});
  ExprId rest =
      tree.exprs.add({Let{{}, pattern(in_order ? "$second" : "$first"), late, function}, where});
  declarations_.rewrite(expr, Let{{}, pattern(in_order ? "$first" : "$second"), early, rest});
}

// `>>>` is a member of the integer modules only.
void ApplyInferrer::rejectBareShift(const std::string& symbol, Span span) {
  if (symbol != ">>>" || options_.is_prelude) return;
  sink_.error(Code::unknown_name, span,
              "`>>>` is in the modules of the integer types only: write `i32.>>>`, or define it");
}

TypeRef ApplyInferrer::inferBuiltInBinary(ExprId expr, Op op, const Binary& binary, TypeRef hint) {
  rejectBareShift(binary.op.name, binary.op.span);
  bool same_result = prim::info(op).result == prim::ResultRule::kSame;
  TypeRef operand = exprs_.overloaded(binary.op.span, operandsOf(op));
  TypeRef lhs = exprs_.infer(binary.lhs, same_result ? hint : TypeRef());
  const auto isText = [&](ExprId side) {
    return std::holds_alternative<StringLiteral>(program_.tree.exprs[side].node);
  };
  const bool is_text = isText(binary.lhs) || isText(binary.rhs);
  bool fits = requireOperand(span(binary.lhs), lhs, operand, binary.op.name, is_text);
  TypeRef rhs = exprs_.infer(binary.rhs, operand);
  if (!fits) return same_result ? poison() : boolean();
  inference_.current_span = span(binary.rhs);
  if (auto mismatch = inference_.unify(rhs, operand)) {
    comparison_.report(span(binary.rhs), rhs, lhs, *mismatch,
                       fmt::format("the right operand of `{}`", binary.op.name));
    return same_result ? poison() : boolean();
  }
  pending_.operators.push_back({expr, op, operand});
  return resultOf(op, operand);
}

// `(+)`, `(==)`, `(&&)` as functions.
TypeRef ApplyInferrer::operatorFunction(ExprId expr, const std::string& symbol, Span span) {
  TypeRef operand, result;
  if (symbol == "&&" || symbol == "||") {
    pending_.uses.push_back({expr, LogicTarget{symbol == "&&" ? Logic::kAnd : Logic::kOr}, {}, {}});
    operand = result = boolean();
  } else if (auto op = symbol == "!" ? std::optional(Op::kNot) : binaryOperator(symbol)) {
    rejectBareShift(symbol, span);
    operand = exprs_.overloaded(span, operandsOf(*op));
    result = resultOf(*op, operand);
    pending_.operators.push_back({expr, *op, operand});
    if (prim::info(*op).arity == 1) {
      return inference_.function({operand, false, {}, result, {}});
    }
  } else {
    names_.reportUnknownName({{}, symbol, span});
    return poison();
  }
  TypeRef inner = inference_.function({operand, false, {}, result, {}});
  return inference_.function({operand, false, {}, inner, {}});
}

// `(x +)` and `(+ x)`.
TypeRef ApplyInferrer::inferSection(ExprId expr, const OperatorSection& section) {
  const QualifiedName& op = section.op;
  auto used = isLogic(op) ? std::nullopt : names_.useName(expr, op);
  TypeRef function = used                    ? *used
                     : op.qualifiers.empty() ? operatorFunction(expr, op.name, op.span)
                                             : (names_.reportUnknownName(op), poison());
  if (section.lhs) return applyAll(function, {section.lhs}, {}, {op.name, op.span});
  auto* outer = inference_.as<InferFunction>(function);
  InferFunction first = outer ? *outer : InferFunction{};
  auto* inner = outer ? inference_.as<InferFunction>(first.result) : nullptr;
  if (!inner) {
    exprs_.infer(section.rhs);
    if (!inference_.as<Poison>(function)) {
      sink_.error(Code::not_a_function, op.span,
                  fmt::format("`{}` has type `{}`, a section needs a function of two arguments",
                              op.name, inference_.print(function)));
    }
    return poison();
  }
  InferFunction second = *inner;
  exprs_.check(section.rhs, second.parameter, fmt::format("the right operand of `{}`", op.name));
  first.existentials = std::exchange(second.existentials, {});
  first.unique_result = second.unique_result;
  first.result = afterArgument(second, section.rhs, op.span);
  return inference_.function(std::move(first));
}

}  // namespace halo::types
