// Forms that begin with a keyword, and lambdas.
#include "lang/format/rules.h"

namespace halo::format {

using namespace syntax;

void FormLayout::lambda(const Lambda& lambda, Range words) {
  for (PatternId parameter : lambda.parameters) space(add(parameter).first);
  none(range(lambda.parameters.front()).first);
  if (lambda.result.valid()) {
    const Range result = add(lambda.result);
    space(result.first - 1);
    space(result.first);
  }
  const Range body = add(lambda.body);
  space(body.first - 1);
  lineOrSpace(spansLines(words), body.first);
  nest({body.first - 1, words.last});
}

// ---- let

void FormLayout::letForm(const Let& let, Range words) {
  const Range pattern = range(let.pattern);
  // `let a[i] = v`: the value is the update of `a`, so it begins there, too.
  const bool is_update =
      tree_.exprs[let.value].span.begin == tree_.patterns[let.pattern].span.begin;
  const Range value = is_update ? letUpdate(let.value) : add(let.value);
  if (!is_update) add(let.pattern);
  for (const Identifier& size : let.sizes) none(words_.begins[size.span.begin] - 1);
  space(words.first + 1);
  if (!let.sizes.empty()) space(pattern.first);
  indented(spansLines(pattern.first, value.last), value);
  letBody(value.last + 1, let.body, spansLines(words));
}

// The value of `let a[i] = v`, whose place the tree of the update knows.
Range FormLayout::letUpdate(ExprId id) {
  if (const auto* update = std::get_if<UpdateExpr>(&tree_.exprs[id].node)) {
    none(wordsOf(update->parts.front().span).first - 1);
    PathLayout(state_).indices(update->parts);
    return add(update->value);
  }
  if (const auto* update = std::get_if<RecordUpdate>(&tree_.exprs[id].node)) {
    return add(update->value);
  }
  const auto& update = std::get<PathUpdate>(tree_.exprs[id].node);
  PathLayout(state_).path(update.path);
  return add(update.value);
}

void FormLayout::letFunction(const LetFunction& let, Range words) {
  DeclLayout(state_).functionHead(let.function, words.first + 1, true);
  const Range value = add(let.function.body);
  indented(spansLines(words.first, value.last), value);
  letBody(value.last + 1, let.body, spansLines(words));
}

// `in` is left out in front of another `let`.
void FormLayout::letBody(WordIndex next, ExprId body, bool is_broken) {
  const Range words = add(body);
  const bool is_let = std::holds_alternative<Let>(tree_.exprs[body].node) ||
                      std::holds_alternative<LetFunction>(tree_.exprs[body].node);
  keepEmptyLine(next);
  lineOrSpace(is_broken, next);
  if (next == words.first) return;
  if (is_let) {
    words_.words[next].is_dropped = true;
    keepEmptyLine(words.first);
    lineOrSpace(is_broken, words.first);
  } else {
    space(words.first);
    align(words);
  }
}

// ---- if, match, loop

// `else if` goes on at the column of the first `if`.
void FormLayout::ifForm(const If& node, Range words) {
  const bool is_broken = spansLines(words);
  space(add(node.condition).first);
  const Range yes = add(node.then_branch), no = add(node.else_branch);
  lineOrSpace(is_broken, yes.first - 1);
  space(yes.first);
  align(yes);
  lineOrSpace(is_broken, no.first - 1);
  space(no.first);
  if (!std::holds_alternative<If>(tree_.exprs[node.else_branch].node)) align(no);
}

void FormLayout::matchForm(const MatchExpr& match, Range words) {
  space(add(match.scrutinee).first);
  for (const MatchCase& branch : match.cases) {
    const Range pattern = add(branch.pattern), body = add(branch.body);
    const WordIndex keyword = pattern.first - 1;
    lineOrSpace(spansLines(words), keyword);
    keepEmptyLine(keyword);
    space(pattern.first);
    space(body.first - 1);
    indented(spansLines(keyword, body.last), body);
  }
}

// The pattern and its first value, then the kind of loop on a line of its own.
void FormLayout::loopForm(const Loop& loop, Range words) {
  const bool is_broken = spansLines(words);
  const Range pattern = add(loop.pattern), body = add(loop.body);
  for (const Identifier& size : loop.sizes) none(words_.begins[size.span.begin] - 1);
  space(words.first + 1);
  space(pattern.first);
  const Range head = loopHead(loop);  // behind `for`, `while`
  if (loop.initial_implicit) {
    lineOrSpace(spansLines(pattern.first, head.last), head.first - 1);
  } else {
    const Range initial = add(loop.initial);
    indented(spansLines(pattern.first, initial.last), initial);
    align({pattern.first, initial.last});
    lineOrSpace(is_broken, head.first - 1);
  }
  space(head.first);
  space(body.first - 1);
  indented(is_broken, body);
}

// The words that say which kind of loop it is: `i`, the pattern, the condition.
Range FormLayout::loopHead(const Loop& loop) {
  if (const auto* form = std::get_if<LoopFor>(&loop.form)) {
    const Range bound = add(form->bound);
    space(bound.first - 1);
    space(bound.first);
    return wordsOf(form->variable.span);
  }
  if (const auto* form = std::get_if<LoopForIn>(&loop.form)) {
    const Range array = add(form->array);
    space(array.first - 1);
    space(array.first);
    return add(form->pattern);
  }
  return add(std::get<LoopWhile>(loop.form).condition);
}

}  // namespace halo::format
