// Expressions as text. The tree keeps the parentheses of expressions, so none have to be added.
#include "lang/base/match.h"
#include "lang/syntax/print/printer_state.h"

namespace halo::syntax {

namespace {

const char* spelled(RangeEnd end) {
  switch (end) {
    case RangeEnd::kInclusive:
      return "...";
    case RangeEnd::kBelow:
      return "..<";
    case RangeEnd::kAbove:
      return "..>";
  }
  HALO_UNREACHABLE("range end out of range");
}

std::string spelled(const Number& number) {
  std::string out = number.text.empty() ? std::to_string(number.integer) : number.text;
  if (number.suffix) out += prim::name(*number.suffix);
  return out;
}

void addExpression(Pieces& pieces, ExprId id) { pieces.add(id); }

}  // namespace

Pieces Printer::expression(ExprId id) const {
  Pieces out;
  base::match(
      tree_.exprs[id].node, [&](const Number& e) { out.add(spelled(e)); },
      [&](const BoolLiteral& e) { out.add(e.value ? "true" : "false"); },
      [&](const StringLiteral& e) { out.add(spelledString(e.bytes)); },
      [&](const Variable& e) { out.add(spelledName(e.name)); },
      [&](const TupleExpr& e) { out.add("(").join(e.elements, ", ", addExpression).add(")"); },
      [&](const RecordExpr& e) {
        auto field = [](Pieces& p, const std::pair<Identifier, ExprId>& f) {
          p.add(f.first.name + " = ", f.second);
        };
        out.add("{").join(e.fields, ", ", field).add("}");
      },
      [&](const ArrayExpr& e) { out.add("[").join(e.elements, ", ", addExpression).add("]"); },
      [&](const RangeExpr& e) {
        out.add(e.first);
        if (e.second.valid()) out.add("..", e.second);
        out.add(spelled(e.end), e.last);
      },
      [&](const Project& e) { out.add(e.record, "." + e.field.name); },
      [&](const IndexExpr& e) { out.add(e.array).append(indexes(e.parts)); },
      [&](const UpdateExpr& e) {
        out.add(e.array, " with ").append(indexes(e.parts)).add(" = ", e.value);
      },
      [&](const RecordUpdate& e) {
        out.add(e.record, " with " + spelledPath(e.path) + " = ", e.value);
      },
      [&](const Apply& e) { out.add(e.function, " ", e.argument); },
      [&](const Unary& e) {
        // `--` would begin a comment.
        bool twice = std::holds_alternative<Unary>(tree_.exprs[e.operand].node);
        out.add(e.op + (twice ? " " : ""), e.operand);
      },
      [&](const Binary& e) { out.add(e.lhs, " " + spelledInfix(e.op) + " ", e.rhs); },
      [&](const OperatorSection& e) {
        out.add("(");
        if (e.lhs.valid()) out.add(e.lhs, " ");
        out.add(spelledInfix(e.op));
        if (e.rhs.valid()) out.add(" ", e.rhs);
        out.add(")");
      },
      [&](const ProjectSection& e) { out.add("(." + spelledPath(e.path) + ")"); },
      [&](const IndexSection& e) { out.add("(.").append(indexes(e.parts)).add(")"); },
      [&](const Lambda& e) {
        out.add("\\");
        auto parameter = [](Pieces& p, PatternId pattern) {
          p.add(PatternPiece{pattern, PatternPlace::kParameter});
        };
        out.join(e.parameters, " ", parameter);
        if (e.result.valid()) out.add(": ", TypePiece{e.result, TypePlace::kBeforeArrow});
        out.add(" -> ", e.body);
      },
      [&](const Let& e) { out = let(e); }, [&](const LetFunction& e) { out = letFunction(e); },
      [&](const If& e) {
        out.add("if ", e.condition, " then ", e.then_branch, " else ", e.else_branch);
      },
      [&](const Loop& e) { out = loop(e); },
      [&](const Ascribe& e) { out.add(e.value, " : ", TypePiece{e.type}); },
      [&](const Coerce& e) { out.add(e.value, " :> ", TypePiece{e.type}); },
      [&](const AssertExpr& e) { out.add("assert ", e.condition, " ", e.value); },
      [&](const Attributed& e) { out.add("#[" + e.attribute.text + "] ", e.value); },
      [&](const Parenthesised& e) { out.add("(", e.value, ")"); },
      [&](const PathUpdate& e) {
        out.add(e.target, " with ").append(path(e.path)).add(" = ", e.value);
      },
      [&](const Constructor& e) { out = constructor(e); },
      [&](const PathSection& e) { out.add("(.").append(path(e.path)).add(")"); },
      [&](const MatchExpr& e) { out = match(e); }, [&](const Hole&) { out.add("???"); },
      [&](const LocalOpen& e) { out.add(spelledQualified(e.module) + ".(", e.value, ")"); });
  return out;
}

// Lets stand one below the other, the first expression that is no `let` behind `in`.
Pieces Printer::bodyOfLet(ExprId body) const {
  const ExprNode& node = tree_.exprs[body].node;
  bool is_let = std::holds_alternative<Let>(node) || std::holds_alternative<LetFunction>(node);
  return Pieces().add(LineBreak{}, is_let ? "" : "in ", body);
}

Pieces Printer::let(const Let& node) const {
  Pieces out;
  out.add("let ");
  for (const Identifier& size : node.sizes) out.add("[" + size.name + "] ");
  out.add(PatternPiece{node.pattern}, " = ", Indent{2}, node.value, Indent{-2});
  return out.append(bodyOfLet(node.body));
}

Pieces Printer::letFunction(const LetFunction& node) const {
  Pieces out;
  out.add("let ").append(functionHead(node.function));
  out.add(" = ", Indent{2}, node.function.body, Indent{-2});
  return out.append(bodyOfLet(node.body));
}

Pieces Printer::loop(const Loop& node) const {
  Pieces out;
  out.add("loop ");
  for (const Identifier& size : node.sizes) out.add("[" + size.name + "] ");
  out.add(PatternPiece{node.pattern});
  if (!node.initial_implicit) out.add(" = ", node.initial);
  base::match(
      node.form,
      [&](const LoopFor& form) { out.add(" for " + form.variable.name + " < ", form.bound); },
      [&](const LoopForIn& form) {
        out.add(" for ", PatternPiece{form.pattern}, " in ", form.array);
      },
      [&](const LoopWhile& form) { out.add(" while ", form.condition); });
  return out.add(" do", Indent{2}, LineBreak{}, node.body, Indent{-2});
}

Pieces Printer::match(const MatchExpr& node) const {
  Pieces out;
  out.add("match ", node.scrutinee, Indent{2});
  for (const MatchCase& branch : node.cases) {
    out.add(LineBreak{}, "case ", PatternPiece{branch.pattern, PatternPlace::kBeforeArrow}, " -> ",
            branch.body);
  }
  return std::move(out.add(Indent{-2}));
}

Pieces Printer::constructor(const Constructor& node) const {
  Pieces out;
  out.add("#" + node.name.name);
  for (ExprId id : node.arguments) out.add(" ", id);
  return out;
}

Pieces Printer::path(const std::vector<PathStep>& path) const {
  Pieces out;
  for (const PathStep& step : path) {
    bool first = out.list().empty();
    base::match(
        step, [&](const Identifier& field) { out.add((first ? "" : ".") + field.name); },
        [&](const std::vector<IndexPart>& parts) { out.append(indexes(parts)); });
  }
  return out;
}

Pieces Printer::indexes(const std::vector<IndexPart>& parts) const {
  auto part = [this](Pieces& p, const IndexPart& index) { p.append(indexPart(index)); };
  return Pieces().add("[").join(parts, ", ", part).add("]");
}

Pieces Printer::indexPart(const IndexPart& part) const {
  Pieces out;
  if (!part.is_slice) return out.add(part.index);
  if (part.start.valid()) out.add(part.start);
  out.add(":");
  if (part.end.valid()) out.add(part.end);
  if (part.stride.valid()) out.add(":", part.stride);
  return out;
}

}  // namespace halo::syntax
