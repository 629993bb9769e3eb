// Expressions from the outside in: ascription, then the forms that end in an expression (let, if,
// loop, lambda, attribute). Operators follow in parse_operator.cpp, atoms in parse_atom.cpp.
#include <fmt/format.h>

#include "lang/base/match.h"
#include "lang/syntax/parser_state.h"

namespace halo::syntax {

using diag::Code;

ExprId Parser::expression(bool section) {
  uint32_t start = begin();
  ExprId value = unascribed(section);
  while (isPunctuation(":") || isPunctuation(":>")) {
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

ExprId Parser::unascribed(bool section) {
  Depth depth(*this);
  std::vector<TailForm> forms;
  while (startsTailForm()) {
    bool is_let = isKeyword("let");
    forms.push_back(tailForm());
    if (!is_let) depth.more();
  }
  ExprId result = operators(section && forms.empty());
  for (; !forms.empty(); forms.pop_back()) result = finish(std::move(forms.back()), result);
  return result;
}

bool Parser::startsTailForm() const {
  return isKeyword("let") || isKeyword("if") || isKeyword("loop") || isPunctuation("\\") ||
         isPunctuation("#[");
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
  bool operator_name = isPunctuation("(") && isKind(TokenKind::kOperator, 1);
  size_t after_name = operator_name ? 3 : 1;
  if (isKind(TokenKind::kIdentifier) || operator_name) {
    if (isAdjacent("[", after_name) || isAdjacent(".", after_name)) return letUpdateForm();
    bool is_pattern = isPunctuation("=", after_name) || isPunctuation(":", after_name);
    if (!is_pattern) return letFunctionForm();
  }
  let.sizes = sizeBinders();
  let.pattern = pattern();
  checkPatterns({let.pattern});
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
  checkPatterns(let.function.parameters);
  functionTail(let.function);
  endOfLetValue();
  return let;
}

// `let a[i] = v in ..` is `let a = a with [i] = v in ..`, `let r.f = v` likewise.
ExprNode Parser::letUpdateForm() {
  uint32_t start = begin();
  Identifier name = identifier("a name");
  ExprId variable = add(Variable{{{}, name.name, name.span}}, name.span);
  ExprNode update;
  if (isPunctuation("[")) {
    std::vector<IndexPart> parts = indexList();
    if (isAdjacent(".")) notInThisSlice("an update of a field inside an array is");
    expect("=", "after the index");
    update = UpdateExpr{variable, std::move(parts), expression()};
  } else {
    std::vector<Identifier> path;
    while (accept(".")) path.push_back(fieldName());
    if (isAdjacent("[")) notInThisSlice("an update of an array inside a record is");
    expect("=", "after the field");
    update = RecordUpdate{variable, std::move(path), expression()};
  }
  Let let;
  let.pattern = addPattern(PatternName{name}, name.span);
  let.value = add(std::move(update), spanFrom(start));
  endOfLetValue();
  return let;
}

// ---- if, loop, lambda

ExprNode Parser::ifForm() {
  next();
  If node;
  node.condition = expression();
  expectKeyword("then", "after the condition");
  node.then_branch = expression();
  expectKeyword("else", "after the first branch");
  return node;
}

ExprNode Parser::loopForm() {
  next();
  Loop loop;
  loop.sizes = sizeBinders();
  loop.pattern = pattern();
  checkPatterns({loop.pattern});
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
  LoopForIn form;
  form.pattern = pattern();
  expectKeyword("in", "or `<` after the variable of the loop");
  form.array = expression();
  return form;
}

// `loop (x, y) for ..` starts with the variables x and y.
ExprId Parser::patternAsExpression(PatternId id) {
  // By value: adding expressions leaves patterns alone, but recursion is easier to trust this way.
  Pattern pattern = tree_.patterns[id];
  Span span = pattern.span;
  return base::match(
      pattern.node,
      [&](PatternName& p) {
        return add(Variable{{{}, p.name.name, p.name.span}}, p.name.span);
      },
      [&](PatternWildcard&) {
        if (!panic_) {
          sink_.error(Code::unexpected_token, span,
                      "a loop without initial value needs names, `_` names nothing");
        }
        return add(TupleExpr{}, span);
      },
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
      [&](PatternTyped& p) { return patternAsExpression(p.pattern); });
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
