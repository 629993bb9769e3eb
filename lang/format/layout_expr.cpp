// Expressions: operators, applications, everything in brackets, updates and sections. Forms with
// keywords are in layout_form.cpp.
#include "lang/base/match.h"
#include "lang/format/rules.h"
#include "lang/syntax/application.h"

namespace halo::format {

using namespace syntax;

void ExpressionLayout::expression(ExprId id) {
  const Range words = range(id);
  const bool is_broken = spansLines(words);
  base::match(
      tree_.exprs[id].node, [](const Number&) {}, [](const BoolLiteral&) {},
      [](const StringLiteral&) {}, [](const Variable&) {}, [](const Hole&) {},
      [](const ProjectSection&) {}, [&](const TupleExpr& e) { elements(words, e.elements); },
      [&](const ArrayExpr& e) { elements(words, e.elements); },
      [&](const RecordExpr& e) { fields(words, e); }, [&](const RangeExpr& e) { rangeForm(e); },
      [&](const Project& e) { add(e.record); },
      [&](const IndexExpr& e) {
        none(add(e.array).last + 1);
        PathLayout(state_).indices(e.parts);
      },
      [&](const UpdateExpr&) { updates(id); }, [&](const RecordUpdate&) { updates(id); },
      [&](const PathUpdate&) { updates(id); }, [&](const Apply&) { application(id); },
      [&](const Unary& e) { none(add(e.operand).first); },
      [&](const Binary& e) { binary(e, is_broken); },
      [&](const OperatorSection& e) { section(e, words); },
      [&](const IndexSection& e) { PathLayout(state_).indices(e.parts); },
      [&](const PathSection& e) { PathLayout(state_).path(e.path); },
      [&](const Lambda& e) { FormLayout(state_).lambda(e, words); },
      [&](const Let& e) { FormLayout(state_).letForm(e, words); },
      [&](const LetFunction& e) { FormLayout(state_).letFunction(e, words); },
      [&](const If& e) { FormLayout(state_).ifForm(e, words); },
      [&](const Loop& e) { FormLayout(state_).loopForm(e, words); },
      [&](const Ascribe& e) { ascription(e.value, e.type, is_broken); },
      [&](const Coerce& e) { ascription(e.value, e.type, is_broken); },
      [&](const AssertExpr& e) {
        space(add(e.condition).first);
        lineOrSpace(is_broken, add(e.value).first);
      },
      [&](const Attributed& e) {
        attribute(e.attribute);
        lineOrSpace(is_broken, add(e.value).first);
        align(words);
      },
      [&](const Parenthesised& e) { parenthesised(add(e.value), words); },
      [&](const Constructor& e) {
        std::vector<Range> arguments;
        for (ExprId argument : e.arguments) arguments.push_back(add(argument));
        column(arguments, is_broken);
      },
      [&](const MatchExpr& e) { FormLayout(state_).matchForm(e, words); },
      [&](const LocalOpen& e) { parenthesised(add(e.value), words); });
}

// Not where the words are those of `value`. The parser has put parentheses around the index of `let
// a[i] =`, which is without. `m.(a, b)` has those of the pair.
void ExpressionLayout::parenthesised(Range value, Range words) {
  if (value.last == words.last) return;
  none(value.first);
  none(words.last);
  align(value);
}

void ExpressionLayout::elements(Range words, const std::vector<ExprId>& list) {
  std::vector<Range> parts;
  for (ExprId id : list) parts.push_back(add(id));
  bracketed(words, parts);
  for (Range part : parts) align(part);
}

void ExpressionLayout::fields(Range words, const RecordExpr& record) {
  std::vector<Range> parts;
  for (const auto& [name, value] : record.fields) {
    const WordIndex first = words_.begins[name.span.begin];
    const Range part{first, add(value).last};
    parts.push_back(part);
    const Range own = range(value);
    if (own.first > first) indented(spansLines(part), own, 4);
  }
  bracketed(words, parts);
}

void ExpressionLayout::rangeForm(const RangeExpr& e) {
  WordIndex dots = add(e.first).last + 1;
  for (ExprId part : {e.second, e.last}) {
    if (!part.valid()) continue;
    none(dots);
    const Range words = add(part);
    none(words.first);
    dots = words.last + 1;
  }
}

// The operator begins a line. Its words are those between the operands: `+`, `f32.+`, `` `f` ``.
void ExpressionLayout::binary(const Binary& e, bool is_broken) {
  const Range lhs = add(e.lhs), rhs = add(e.rhs);
  operatorWords(lhs.last + 1, rhs.first - 1);
  lineOrSpace(is_broken, lhs.last + 1);
  words_.words[lhs.last + 1].leads = is_broken && rhs.first == lhs.last + 2;
  space(rhs.first);
  align(lhs);
  align(rhs);
}

void ExpressionLayout::section(const OperatorSection& section, Range words) {
  if (section.lhs.valid()) {
    const Range lhs = add(section.lhs);
    none(lhs.first);
    operatorWords(lhs.last + 1, words.last - 1);
    space(lhs.last + 1);
  } else {
    const Range rhs = add(section.rhs);
    operatorWords(words.first, rhs.first - 1);
    space(rhs.first);
  }
  none(words.last);
}

void ExpressionLayout::ascription(ExprId value, TypeExprId type, bool is_broken) {
  const WordIndex colon = add(value).last + 1;
  const Range annotation = add(type);
  lineOrSpace(is_broken, colon);
  space(annotation.first);
  align(annotation);
}

// Arguments stand below each other unless they all begin on one line; the last may go on.
void ExpressionLayout::application(ExprId id) {
  const ApplicationChain chain = applicationChain(tree_, id);
  std::vector<Range> arguments;
  for (ExprId argument : chain.arguments) arguments.push_back(add(argument));
  add(chain.function);
  column(arguments, spansLines(arguments.front().first, arguments.back().first));
}

// `e with a = x with b = y`: a column of `with`s.
void ExpressionLayout::updates(ExprId id) {
  const Range words = range(id);
  const bool is_broken = spansLines(words);
  WordIndex first_with = words.last;
  for (bool goes_on = true; goes_on;) {
    auto update = [&](ExprId target, ExprId value) {
      first_with = range(target).last + 1;
      lineOrSpace(is_broken, first_with);
      space(first_with + 1);
      space(add(value).first);
      id = target;
    };
    base::match(
        tree_.exprs[id].node,
        [&](const UpdateExpr& e) {
          PathLayout(state_).indices(e.parts);
          update(e.array, e.value);
        },
        [&](const RecordUpdate& e) { update(e.record, e.value); },
        [&](const PathUpdate& e) {
          PathLayout(state_).path(e.path);
          update(e.target, e.value);
        },
        base::otherwise([&](const auto&) {
          add(id);
          goes_on = false;
        }));
  }
  space(first_with);
  align({first_with, words.last});
}

}  // namespace halo::format
