// Expressions: operators, applications, everything in brackets, updates and sections. Forms with
// keywords are in layout_form.cpp.
#include <algorithm>

#include "lang/base/match.h"
#include "lang/format/layout.h"

namespace halo::format {

using namespace syntax;

void Layout::expression(ExprId id) {
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
        indices(e.parts);
      },
      [&](const UpdateExpr&) { updates(id); }, [&](const RecordUpdate&) { updates(id); },
      [&](const PathUpdate&) { updates(id); }, [&](const Apply&) { application(id); },
      [&](const Unary& e) { none(add(e.operand).first); },
      [&](const Binary& e) { binary(e, is_broken); },
      [&](const OperatorSection& e) { section(e, words); },
      [&](const IndexSection& e) { indices(e.parts); }, [&](const PathSection& e) { path(e.path); },
      [&](const Lambda& e) { lambda(e, words); }, [&](const Let& e) { letForm(e, words); },
      [&](const LetFunction& e) { letFunction(e, words); }, [&](const If& e) { ifForm(e, words); },
      [&](const Loop& e) { loopForm(e, words); },
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
      [&](const MatchExpr& e) { matchForm(e, words); },
      [&](const LocalOpen& e) { parenthesised(add(e.value), words); });
}

// Not where the words are those of `value`. The parser has put parentheses around the index of `let
// a[i] =`, which is without. `m.(a, b)` has those of the pair.
void Layout::parenthesised(Range value, Range words) {
  if (value.last == words.last) return;
  none(value.first);
  none(words.last);
  align(value);
}

void Layout::elements(Range words, const std::vector<ExprId>& list) {
  std::vector<Range> parts;
  for (ExprId id : list) parts.push_back(add(id));
  bracketed(words, parts);
  for (Range part : parts) align(part);
}

void Layout::fields(Range words, const RecordExpr& record) {
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

void Layout::rangeForm(const RangeExpr& e) {
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
void Layout::binary(const Binary& e, bool is_broken) {
  const Range lhs = add(e.lhs), rhs = add(e.rhs);
  operatorWords(lhs.last + 1, rhs.first - 1);
  lineOrSpace(is_broken, lhs.last + 1);
  words_.words[lhs.last + 1].leads = is_broken && rhs.first == lhs.last + 2;
  space(rhs.first);
  align(lhs);
  align(rhs);
}

void Layout::operatorWords(WordIndex first, WordIndex last) {
  for (WordIndex word = first + 1; word <= last; ++word) none(word);
}

void Layout::section(const OperatorSection& section, Range words) {
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

void Layout::ascription(ExprId value, TypeExprId type, bool is_broken) {
  const WordIndex colon = add(value).last + 1;
  const Range annotation = add(type);
  lineOrSpace(is_broken, colon);
  space(annotation.first);
  align(annotation);
}

// Arguments stand below each other unless they all begin on one line; the last may go on.
void Layout::application(ExprId id) {
  std::vector<Range> arguments;
  const Apply* apply = std::get_if<Apply>(&tree_.exprs[id].node);
  for (ExprId function = id; apply != nullptr;
       apply = std::get_if<Apply>(&tree_.exprs[function].node)) {
    arguments.push_back(add(apply->argument));
    function = apply->function;
    if (!std::holds_alternative<Apply>(tree_.exprs[function].node)) add(function);
  }
  std::reverse(arguments.begin(), arguments.end());
  column(arguments, spansLines(arguments.front().first, arguments.back().first));
}

// ---- paths

void Layout::indices(const std::vector<IndexPart>& parts) {
  std::vector<Range> elements;
  for (const IndexPart& part : parts) {
    elements.push_back(wordsOf(part.span));
    if (part.is_slice) slice(part, elements.back());
    if (part.index.valid()) add(part.index);
  }
  none(elements.front().first);
  const bool is_broken = spansLines(elements.front().first - 1, elements.back().last);
  for (size_t i = 1; i < elements.size(); ++i) {
    lineOrNone(is_broken, elements[i].first - 1);
    space(elements[i].first);
  }
  none(elements.back().last + 1);
  align({elements.front().first - 1, elements.back().last + 1});
}

void Layout::slice(const IndexPart& part, Range words) {
  WordIndex colon = words.first;
  if (part.start.valid()) none(colon = add(part.start).last + 1);
  if (part.end.valid()) {
    const Range end = add(part.end);
    none(end.first);
    colon = end.last;
  }
  if (colon < words.last) none(colon + 1);
  if (part.stride.valid()) none(add(part.stride).first);
}

void Layout::path(const std::vector<PathStep>& path) {
  for (const PathStep& step : path) {
    if (const auto* parts = std::get_if<std::vector<IndexPart>>(&step)) indices(*parts);
  }
}

// `e with a = x with b = y`: a column of `with`s.
void Layout::updates(ExprId id) {
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
          indices(e.parts);
          update(e.array, e.value);
        },
        [&](const RecordUpdate& e) { update(e.record, e.value); },
        [&](const PathUpdate& e) {
          path(e.path);
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
