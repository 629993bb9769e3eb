// Expressions from the outside in: ascription, then the forms that end in an expression (let, if,
// match, loop, lambda, attribute). Operators follow in parse_operator.cpp, atoms in parse_atom.cpp.
#include "lang/syntax/parse/parse_expr.h"

#include <fmt/format.h>

#include "lang/base/match.h"
#include "lang/syntax/lex/lexer_state.h"
#include "lang/syntax/parse/habits.h"
#include "lang/syntax/parse/parser_state.h"

namespace halo::syntax {

using diag::Code;

// `else if` after `else if` nests as well, but takes no stack here and little of it later.
constexpr size_t kBranchesInLevel = 4;

ExprId ExprParser::expression(bool section) {
  bool outer = std::exchange(in_index_, false);
  uint32_t start = cursor_.begin();
  ExprId value = ascribed(unascribed(section), start);
  in_index_ = outer;
  return value;
}

ExprId ExprParser::indexOperand() {
  bool outer = std::exchange(in_index_, true);
  ExprId value = unascribed();
  in_index_ = outer;
  return value;
}

ExprId ExprParser::ascribed(ExprId value, uint32_t start) {
  Depth depth(cursor_, 0);
  while (cursor_.isPunctuation(":") || cursor_.isPunctuation(":>")) {
    depth.more();
    bool coerces = cursor_.next().text == ":>";
    TypeExprId annotation = parser_.types.type();
    if (coerces) {
      value = build_.add(Coerce{value, annotation}, cursor_.spanFrom(start));
    } else {
      value = build_.add(Ascribe{value, annotation}, cursor_.spanFrom(start));
    }
  }
  return value;
}

// The last part of a form takes the `: t` behind it: `\x -> x : t` is `\x -> (x : t)`.
ExprId ExprParser::unascribed(bool section) {
  Depth depth(cursor_);
  std::vector<TailForm> forms;
  size_t branches = 0;
  while (startsTailForm() && !cursor_.isKeyword("match")) {
    const bool is_let = cursor_.isKeyword("let"), is_if = cursor_.isKeyword("if");
    forms.push_back(tailForm());
    if (is_if ? ++branches % kBranchesInLevel == 0 : !is_let) depth.more();
  }
  uint32_t start = cursor_.begin();
  ExprId result =
      cursor_.isKeyword("match") ? matchForm() : parser_.operators.chain(section && forms.empty());
  if (!forms.empty() && !in_index_) result = ascribed(result, start);
  for (; !forms.empty(); forms.pop_back()) result = finish(std::move(forms.back()), result);
  return result;
}

bool ExprParser::startsTailForm() const {
  return cursor_.isKeyword("let") || cursor_.isKeyword("if") || cursor_.isKeyword("loop") ||
         cursor_.isKeyword("match") || cursor_.isPunctuation("\\") || cursor_.isPunctuation("#[");
}

TailForm ExprParser::tailForm() {
  uint32_t start = cursor_.begin();
  if (cursor_.isKeyword("let")) return {letForm(), start};
  if (cursor_.isKeyword("if")) return {ifForm(), start};
  if (cursor_.isKeyword("loop")) return {loopForm(), start};
  if (cursor_.isPunctuation("\\")) return {lambdaForm(), start};
  return {Attributed{parser_.names.attribute(), {}}, start};
}

ExprId ExprParser::finish(TailForm form, ExprId last) {
  base::match(
      form.node, [&](Let& node) { node.body = last; }, [&](LetFunction& node) { node.body = last; },
      [&](If& node) { node.else_branch = last; }, [&](Loop& node) { node.body = last; },
      [&](Lambda& node) { node.body = last; }, [&](Attributed& node) { node.value = last; },
      base::otherwise([](auto&) { HALO_UNREACHABLE("not a form with a tail"); }));
  return build_.add(std::move(form.node), cursor_.spanFrom(form.begin));
}

// ---- let

ExprNode ExprParser::letForm() {
  cursor_.next();
  Let let;
  size_t after_name = parser_.names.startsOperatorName() ? 3 : 1;
  if (cursor_.isKind(TokenKind::kIdentifier) || parser_.names.startsOperatorName()) {
    if (cursor_.isAdjacent("[", after_name) || cursor_.isAdjacent(".", after_name))
      return letUpdateForm();
    bool is_pattern =
        cursor_.isPunctuation("=", after_name) || cursor_.isPunctuation(":", after_name);
    if (!is_pattern) return letFunctionForm();
  }
  let.sizes = parser_.names.sizeBinders();
  let.pattern = parser_.patterns.pattern();
  parser_.checks.checkPatterns({let.pattern}, let.sizes);
  cursor_.expect("=", "after the pattern");
  let.value = expression();
  endOfLetValue();
  return let;
}

// `in` may be left out in front of another `let`.
void ExprParser::endOfLetValue() {
  if (cursor_.acceptKeyword("in") || cursor_.isKeyword("let")) return;
  cursor_.unexpected("`in` after the value of the `let`", {},
                     helpForKeyword("in", cursor_.peek().text));
}

ExprNode ExprParser::letFunctionForm() {
  LetFunction let;
  let.function.name = parser_.names.definedName("a name");
  let.function.type_parameters = parser_.names.typeParameters();
  while (parser_.patterns.startsPattern())
    let.function.parameters.push_back(parser_.patterns.patternAtom());
  if (let.function.parameters.empty()) cursor_.unexpected("`=` or a parameter after the name");
  parser_.decls.functionTail(let.function);
  endOfLetValue();
  return let;
}

namespace {

// Forms that need parentheses behind `a with [i] =`, though not behind `let a[i] =`.
bool isLooserThanWith(const ExprNode& node) {
  const auto* binary = std::get_if<Binary>(&node);
  bool is_backtick = binary != nullptr && isNameStart(binary->op.name.front());
  return is_backtick || std::holds_alternative<Ascribe>(node) ||
         std::holds_alternative<Coerce>(node) || std::holds_alternative<RangeExpr>(node) ||
         std::holds_alternative<UpdateExpr>(node) || std::holds_alternative<RecordUpdate>(node) ||
         std::holds_alternative<PathUpdate>(node);
}

}  // namespace

// `let a[i] = v in ..` is `let a = a with [i] = v in ..`, `let r.f = v` and `let r.a[i].b = v`
// likewise.
ExprNode ExprParser::letUpdateForm() {
  uint32_t start = cursor_.begin();
  Identifier name = cursor_.identifier("a name");
  ExprId variable = build_.add(Variable{{{}, name.name, name.span}}, name.span);
  cursor_.accept(".");
  std::vector<PathStep> steps = parser_.paths.path();
  cursor_.expect("=", "after what is updated");
  ExprId value = expression();
  if (isLooserThanWith(tree_.exprs[value].node))
    value = build_.add(Parenthesised{value}, build_.spanOf(value));
  ExprNode update = parser_.paths.updateNode(variable, std::move(steps), value);
  Let let;
  let.pattern = build_.addPattern(PatternName{name}, name.span);
  let.value = build_.add(std::move(update), cursor_.spanFrom(start));
  endOfLetValue();
  return let;
}

// ---- if, match, loop, lambda

ExprNode ExprParser::ifForm() {
  cursor_.next();
  If node;
  node.condition = expression();
  cursor_.expectKeyword("then", "after the condition");
  node.then_branch = expression();
  cursor_.expectKeyword("else", "after the first branch");
  return node;
}

// The cases of an inner `match` are those that follow it, so the last body reaches as far as it
// can.
ExprId ExprParser::matchForm() {
  uint32_t start = cursor_.begin();
  cursor_.next();
  MatchExpr match;
  match.scrutinee = expression();
  if (!cursor_.isKeyword("case")) cursor_.unexpected("`case` after the value to match");
  while (cursor_.acceptKeyword("case")) {
    PatternId matched = parser_.patterns.pattern();
    parser_.checks.checkPatterns({matched});
    cursor_.expect("->", "after the pattern");
    match.cases.push_back({matched, in_index_ ? unascribed() : expression()});
  }
  return build_.add(std::move(match), cursor_.spanFrom(start));
}

ExprNode ExprParser::loopForm() {
  cursor_.next();
  Loop loop;
  loop.sizes = parser_.names.sizeBinders();
  loop.pattern = parser_.patterns.pattern();
  parser_.checks.checkPatterns({loop.pattern}, loop.sizes);
  loop.initial_implicit = !cursor_.accept("=");
  loop.initial = loop.initial_implicit ? patternAsExpression(loop.pattern) : expression();
  loop.form = loopHead();
  cursor_.expectKeyword("do", "before the body of the loop");
  return loop;
}

std::variant<LoopFor, LoopForIn, LoopWhile> ExprParser::loopHead() {
  if (cursor_.acceptKeyword("while")) return LoopWhile{expression()};
  if (!cursor_.expectKeyword("for", "or `while` in a loop")) return LoopWhile{build_.errorExpr()};
  if (cursor_.isKind(TokenKind::kIdentifier) && cursor_.isOperator("<", 1)) {
    Identifier variable = cursor_.identifier("a name");
    cursor_.next();
    return LoopFor{std::move(variable), expression()};
  }
  if (cursor_.isPunctuation("_") && cursor_.isOperator("<", 1)) return unnamedCount();
  LoopForIn form;
  form.pattern = parser_.patterns.pattern();
  cursor_.expectKeyword("in", "or `<` after the variable of the loop");
  form.array = expression();
  return form;
}

// `for _ < n`, read as if the variable had a name.
LoopFor ExprParser::unnamedCount() {
  const Span where = cursor_.peek().span;
  cursor_.report(Code::unexpected_token, where,
                 "`for .. < ..` counts with a name: write `for _i < ..`");
  cursor_.next();
  cursor_.next();
  return LoopFor{{"_", where}, expression()};
}

// `loop (x, y) for ..` starts with the variables x and y.
ExprId ExprParser::patternAsExpression(PatternId id) {
  // By value: adding expressions leaves patterns alone, but recursion is easier to trust this way.
  Pattern pattern = tree_.patterns[id];
  Span span = pattern.span;
  auto notAName = [&](std::string_view why) {
    if (!cursor_.inPanic()) {
      cursor_.report(Code::unexpected_token, span,
                     fmt::format("a loop without initial value needs names, {}", why));
    }
    return build_.add(TupleExpr{}, span);
  };
  return base::match(
      pattern.node,
      [&](PatternName& p) {
        return build_.add(Variable{{{}, p.name.name, p.name.span}}, p.name.span);
      },
      [&](PatternWildcard&) { return notAName("`_` names nothing"); },
      [&](PatternTuple& p) {
        TupleExpr tuple;
        for (PatternId element : p.elements) tuple.elements.push_back(patternAsExpression(element));
        return build_.add(std::move(tuple), span);
      },
      [&](PatternRecord& p) {
        RecordExpr record;
        for (auto& [name, field] : p.fields) {
          record.fields.push_back({name, patternAsExpression(field)});
        }
        return build_.add(std::move(record), span);
      },
      [&](PatternTyped& p) { return patternAsExpression(p.pattern); },
      [&](PatternAttributed& p) { return patternAsExpression(p.pattern); },
      [&](PatternConstructor&) { return notAName("a constructor may not match"); },
      [&](PatternLiteral&) { return notAName("a literal names nothing"); });
}

ExprNode ExprParser::lambdaForm() {
  cursor_.next();
  Lambda lambda;
  while (parser_.patterns.startsPattern())
    lambda.parameters.push_back(parser_.patterns.patternAtom());
  if (lambda.parameters.empty()) cursor_.unexpected("a parameter after `\\`");
  parser_.checks.checkPatterns(lambda.parameters);
  if (cursor_.accept(":")) lambda.result = parser_.types.typeTerm();
  cursor_.expect("->", "after the parameters");
  return lambda;
}

}  // namespace halo::syntax
