// Internal: the base of the classes of rules. A rule decides the gaps between a node's own words
// and says which of its parts are aligned. Nested nodes decide for themselves: `add` notes them
// for later, and they may come in any order.
#pragma once

#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lang/format/layout.h"

namespace halo::format {

struct LayoutState {
  using Node = std::variant<syntax::ExprId, syntax::PatternId, syntax::TypeExprId, syntax::DeclId,
                            syntax::SpecId, syntax::ModuleExprId, syntax::ModuleTypeId>;

  const syntax::Tree& tree;
  Words& words;
  std::vector<Scope> scopes = {};
  std::vector<Node> todo = {};
};

class NodeLayout {
 protected:
  explicit NodeLayout(LayoutState& state) : state_(state), tree_(state.tree), words_(state.words) {}

  // ---- words of nodes
  Range wordsOf(Span span) const;
  Range range(syntax::ExprId id) const { return wordsOf(tree_.exprs[id].span); }
  // With the parentheses around, which these trees do not keep.
  Range range(syntax::PatternId id) const;
  Range range(syntax::TypeExprId id) const;
  Range range(syntax::ModuleExprId id) const;
  Range range(syntax::ModuleTypeId id) const;
  Range range(syntax::DeclId id) const { return wordsOf(tree_.decls[id].span); }
  Range range(syntax::SpecId id) const { return wordsOf(tree_.specs[id].span); }
  Range withParentheses(Range words) const;
  bool is(WordIndex word, std::string_view text) const { return words_.words[word].text == text; }
  bool spansLines(WordIndex first, WordIndex last) const;
  bool spansLines(Range words) const { return spansLines(words.first, words.last); }

  // ---- settings of rules
  void space(WordIndex before) { words_.words[before].gap.kind = GapKind::kSpace; }
  void none(WordIndex before) { words_.words[before].gap.kind = GapKind::kNone; }
  void line(WordIndex before, unsigned extra = 0);
  void lineOrSpace(bool is_line, WordIndex before, unsigned extra = 0);
  void lineOrNone(bool is_line, WordIndex before, unsigned extra = 0);
  void keepEmptyLine(WordIndex before) { words_.words[before].gap.keeps_empty_line = true; }
  void align(Range words) { state_.scopes.push_back({words, true, 0}); }
  void nest(Range words) { state_.scopes.push_back({words, false, 2}); }
  // `a =` and its value: a break where the two are not on one line.
  void indented(bool is_broken, Range part, unsigned extra = 2);
  // `( a , b )`: commas lead the lines.
  void bracketed(Range words, const std::vector<Range>& elements);
  // Words with spaces, or below each other if they are on several lines.
  void column(const std::vector<Range>& parts, bool is_broken);
  void attribute(const syntax::Attribute& attribute);
  // The words of an operator, `f32.+`, stand without gaps.
  void operatorWords(WordIndex first, WordIndex last);
  // A part with rules of its own; its words.
  template <typename Id>
  Range add(Id id) {
    state_.todo.push_back(id);
    return range(id);
  }

  LayoutState& state_;
  const syntax::Tree& tree_;
  Words& words_;
};

}  // namespace halo::format
