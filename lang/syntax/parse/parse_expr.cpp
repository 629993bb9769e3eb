// Expressions from the outside in: ascription, then the forms that end in an expression (let, if,
// match, loop, lambda, attribute). Operators follow in parse_operator.cpp, atoms in parse_atom.cpp.
#include <fmt/format.h>

#include "lang/base/match.h"
#include "lang/syntax/lex/lexer_state.h"
#include "lang/syntax/parse/parser_state.h"

namespace halo::syntax {

using diag::Code;

// `else if` after `else if` nests as well, but takes no stack here and little of it later.
constexpr size_t kBranchesInLevel = 4;

ExprId Parser::expression(bool section) {
  bool outer = std::exchange(in_index_, false);
  uint32_t start = begin();
  ExprId value = ascribed(unascribed(section), start);
  in_index_ = outer;
  return value;
}

ExprId Parser::indexOperand() {
  bool outer = std::exchange(in_index_, true);
  ExprId value = unascribed();
  in_index_ = outer;
  return value;
}

ExprId Parser::ascribed(ExprId value, uint32_t start) {
  Depth depth(*this, 0);
  while (isPunctuation(":") || isPunctuation(":>")) {
    depth.more();
    bool coerces = next().text == ":>";
    TypeExprId annotation = type();
    if (coerces) {
      value = add(Coerce{value, annotation}, spanFrom(start));
    } else {
      value = add(Ascribe{value, annotation}, spanFrom(start));
    }
  }
  return value;
}

// The last part of a form takes the `: t` behind it: `\x -> x : t` is `\x -> (x : t)`.
ExprId Parser::unascribed(bool section) {
  Depth depth(*this);
  std::vector<TailForm> forms;
  size_t branches = 0;
  while (startsTailForm() && !isKeyword("match")) {
    const bool is_let = isKeyword("let"), is_if = isKeyword("if");
    forms.push_back(tailForm());
    if (is_if ? ++branches % kBranchesInLevel == 0 : !is_let) depth.more();
  }
  uint32_t start = begin();
  ExprId result = isKeyword("match") ? matchForm() : operators(section && forms.empty());
  if (!forms.empty() && !in_index_) result = ascribed(result, start);
  for (; !forms.empty(); forms.pop_back()) result = finish(std::move(forms.back()), result);
  return result;
}

bool Parser::startsTailForm() const {
  return isKeyword("let") || isKeyword("if") || isKeyword("loop") || isKeyword("match") ||
         isPunctuation("\\") || isPunctuation("#[");
}

TailForm Parser::tailForm() {
  uint32_t start = begin();
  if (isKeyword("let")) return {letForm(), start};
  if (isKeyword("if")) return {ifForm(), start};
  if (isKeyword("loop")) return {loopForm(), start};
  if (isPunctuation("\\")) return {lambdaForm(), start};
  return {Attributed{attribute(), {}}, start};
}

ExprId Parser::finish(TailForm form, ExprId last) {
  base::match(
      form.node, [&](Let& node) { node.body = last; }, [&](LetFunction& node) { node.body = last; },
      [&](If& node) { node.else_branch = last; }, [&](Loop& node) { node.body = last; },
      [&](Lambda& node) { node.body = last; }, [&](Attributed& node) { node.value = last; },
      base::otherwise([](auto&) { HALO_UNREACHABLE("not a form with a tail"); }));
  return add(std::move(form.node), spanFrom(form.begin));
}

// ---- let

ExprNode Parser::letForm() {
  next();
  Let let;
  size_t after_name = startsOperatorName() ? 3 : 1;
  if (isKind(TokenKind::kIdentifier) || startsOperatorName()) {
    if (isAdjacent("[", after_name) || isAdjacent(".", after_name)) return letUpdateForm();
    bool is_pattern = isPunctuation("=", after_name) || isPunctuation(":", after_name);
    if (!is_pattern) return letFunctionForm();
  }
  let.sizes = sizeBinders();
  let.pattern = pattern();
  checkPatterns({let.pattern}, let.sizes);
  expect("=", "after the pattern");
  let.value = expression();
  endOfLetValue();
  return let;
}

// `in` may be left out in front of another `let`.
void Parser::endOfLetValue() {
  if (acceptKeyword("in") || isKeyword("let")) return;
  unexpected("`in` after the value of the `let`");
}

ExprNode Parser::letFunctionForm() {
  LetFunction let;
  let.function.name = definedName("a name");
  let.function.type_parameters = typeParameters();
  while (startsPattern()) let.function.parameters.push_back(patternAtom());
  if (let.function.parameters.empty()) unexpected("`=` or a parameter after the name");
  functionTail(let.function);
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
ExprNode Parser::letUpdateForm() {
  uint32_t start = begin();
  Identifier name = identifier("a name");
  ExprId variable = add(Variable{{{}, name.name, name.span}}, name.span);
  accept(".");
  std::vector<PathStep> steps = path();
  expect("=", "after what is updated");
  ExprId value = expression();
  if (isLooserThanWith(tree_.exprs[value].node)) value = add(Parenthesised{value}, spanOf(value));
  ExprNode update = updateNode(variable, std::move(steps), value);
  Let let;
  let.pattern = addPattern(PatternName{name}, name.span);
  let.value = add(std::move(update), spanFrom(start));
  endOfLetValue();
  return let;
}

// ---- if, match, loop, lambda

ExprNode Parser::ifForm() {
  next();
  If node;
  node.condition = expression();
  expectKeyword("then", "after the condition");
  node.then_branch = expression();
  expectKeyword("else", "after the first branch");
  return node;
}

// The cases of an inner `match` are those that follow it, so the last body reaches as far as it
// can.
ExprId Parser::matchForm() {
  uint32_t start = begin();
  next();
  MatchExpr match;
  match.scrutinee = expression();
  if (!isKeyword("case")) unexpected("`case` after the value to match");
  while (acceptKeyword("case")) {
    PatternId matched = pattern();
    checkPatterns({matched});
    expect("->", "after the pattern");
    match.cases.push_back({matched, in_index_ ? unascribed() : expression()});
  }
  return add(std::move(match), spanFrom(start));
}

ExprNode Parser::loopForm() {
  next();
  Loop loop;
  loop.sizes = sizeBinders();
  loop.pattern = pattern();
  checkPatterns({loop.pattern}, loop.sizes);
  loop.initial_implicit = !accept("=");
  loop.initial = loop.initial_implicit ? patternAsExpression(loop.pattern) : expression();
  loop.form = loopHead();
  expectKeyword("do", "before the body of the loop");
  return loop;
}

std::variant<LoopFor, LoopForIn, LoopWhile> Parser::loopHead() {
  if (acceptKeyword("while")) return LoopWhile{expression()};
  if (!expectKeyword("for", "or `while` in a loop")) return LoopWhile{errorExpr()};
  if (isKind(TokenKind::kIdentifier) && isOperator("<", 1)) {
    Identifier variable = identifier("a name");
    next();
    return LoopFor{std::move(variable), expression()};
  }
  if (isPunctuation("_") && isOperator("<", 1)) return unnamedCount();
  LoopForIn form;
  form.pattern = pattern();
  expectKeyword("in", "or `<` after the variable of the loop");
  form.array = expression();
  return form;
}

// `for _ < n`, read as if the variable had a name.
LoopFor Parser::unnamedCount() {
  const Span where = peek().span;
  sink_.error(Code::unexpected_token, where,
              "`for .. < ..` counts with a name: write `for _i < ..`");
  next();
  next();
  return LoopFor{{"_", where}, expression()};
}

// `loop (x, y) for ..` starts with the variables x and y.
ExprId Parser::patternAsExpression(PatternId id) {
  // By value: adding expressions leaves patterns alone, but recursion is easier to trust this way.
  Pattern pattern = tree_.patterns[id];
  Span span = pattern.span;
  auto notAName = [&](std::string_view why) {
    if (!panic_) {
      sink_.error(Code::unexpected_token, span,
                  fmt::format("a loop without initial value needs names, {}", why));
    }
    return add(TupleExpr{}, span);
  };
  return base::match(
      pattern.node,
      [&](PatternName& p) {
        return add(Variable{{{}, p.name.name, p.name.span}}, p.name.span);
      },
      [&](PatternWildcard&) { return notAName("`_` names nothing"); },
      [&](PatternTuple& p) {
        TupleExpr tuple;
        for (PatternId element : p.elements) tuple.elements.push_back(patternAsExpression(element));
        return add(std::move(tuple), span);
      },
      [&](PatternRecord& p) {
        RecordExpr record;
        for (auto& [name, field] : p.fields) {
          record.fields.push_back({name, patternAsExpression(field)});
        }
        return add(std::move(record), span);
      },
      [&](PatternTyped& p) { return patternAsExpression(p.pattern); },
      [&](PatternAttributed& p) { return patternAsExpression(p.pattern); },
      [&](PatternConstructor&) { return notAName("a constructor may not match"); },
      [&](PatternLiteral&) { return notAName("a literal names nothing"); });
}

ExprNode Parser::lambdaForm() {
  next();
  Lambda lambda;
  while (startsPattern()) lambda.parameters.push_back(patternAtom());
  if (lambda.parameters.empty()) unexpected("a parameter after `\\`");
  checkPatterns(lambda.parameters);
  if (accept(":")) lambda.result = typeTerm();
  expect("->", "after the parameters");
  return lambda;
}

}  // namespace halo::syntax
