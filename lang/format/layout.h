// Internal: the rules. Each node of the tree decides the gaps between its own words and says which
// of its parts are aligned. Nested nodes decide for themselves, so nodes come in any order.
#pragma once

#include <variant>
#include <vector>

#include "lang/format/words.h"
#include "lang/syntax/ast.h"

namespace halo::format {

// Words first to last, both included.
struct Range {
  WordIndex first, last;
};

// Lines that begin within `words` stand at the column of its first word, or, with `nest`, that much
// behind the indentation around it.
struct Scope {
  Range words;
  bool is_aligned;
  uint8_t nest;
};

class Layout {
 public:
  Layout(const syntax::Tree& tree, Words& words) : tree_(tree), words_(words) {}
  void file(const syntax::File& file);
  std::vector<Scope> takeScopes() { return std::move(scopes_); }

 private:
  using Node = std::variant<syntax::ExprId, syntax::PatternId, syntax::TypeExprId, syntax::DeclId,
                            syntax::SpecId, syntax::ModuleExprId, syntax::ModuleTypeId>;

  // layout.cpp: words of nodes
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

  // layout.cpp: settings of rules
  void space(WordIndex before) { words_.words[before].gap.kind = GapKind::kSpace; }
  void none(WordIndex before) { words_.words[before].gap.kind = GapKind::kNone; }
  void line(WordIndex before, unsigned extra = 0);
  void lineOrSpace(bool is_line, WordIndex before, unsigned extra = 0);
  void lineOrNone(bool is_line, WordIndex before, unsigned extra = 0);
  void keepEmptyLine(WordIndex before) { words_.words[before].gap.keeps_empty_line = true; }
  void align(Range words) { scopes_.push_back({words, true, 0}); }
  void nest(Range words) { scopes_.push_back({words, false, 2}); }
  // `a =` and its value: a break where the two are not on one line.
  void indented(bool is_broken, Range part, unsigned extra = 2);
  // `( a , b )`: commas lead the lines.
  void bracketed(Range words, const std::vector<Range>& elements);
  // Words with spaces, or below each other if they are on several lines.
  void column(const std::vector<Range>& parts, bool is_broken);
  void attribute(const syntax::Attribute& attribute);
  template <typename Id>
  Range add(Id id) {
    todo_.push_back(id);
    return range(id);
  }

  void expression(syntax::ExprId id);
  void pattern(syntax::PatternId id);
  void type(syntax::TypeExprId id);
  void declaration(syntax::DeclId id);
  void spec(syntax::SpecId id);
  void module(syntax::ModuleExprId id);
  void moduleType(syntax::ModuleTypeId id);

  // layout_expr.cpp
  void parenthesised(Range value, Range words);
  void elements(Range words, const std::vector<syntax::ExprId>& list);
  void fields(Range words, const syntax::RecordExpr& record);
  void rangeForm(const syntax::RangeExpr& e);
  void binary(const syntax::Binary& e, bool is_broken);
  void operatorWords(WordIndex first, WordIndex last);
  void section(const syntax::OperatorSection& section, Range words);
  void ascription(syntax::ExprId value, syntax::TypeExprId type, bool is_broken);
  void application(syntax::ExprId id);
  void indices(const std::vector<syntax::IndexPart>& parts);
  void slice(const syntax::IndexPart& part, Range words);
  void path(const std::vector<syntax::PathStep>& path);
  void updates(syntax::ExprId id);

  // layout_form.cpp
  void lambda(const syntax::Lambda& lambda, Range words);
  void letForm(const syntax::Let& let, Range words);
  Range letUpdate(syntax::ExprId id);
  void letFunction(const syntax::LetFunction& let, Range words);
  void letBody(WordIndex next, syntax::ExprId body, bool is_broken);
  void ifForm(const syntax::If& node, Range words);
  void matchForm(const syntax::MatchExpr& match, Range words);
  void loopForm(const syntax::Loop& loop, Range words);
  Range loopHead(const syntax::Loop& loop);

  // layout_type.cpp
  void fields(Range words, const syntax::PatternRecord& record);
  void fields(Range words, const syntax::TypeRecord& record);
  void typeName(const syntax::TypeName& name, Range words);
  void functionType(const syntax::TypeFunction& function, bool is_broken);
  void sum(const syntax::TypeSum& sum, Range words);
  void existential(const syntax::TypeExistential& type);

  // layout_decl.cpp
  void paragraphs(const std::vector<syntax::DeclId>& list, bool is_broken);
  void paragraphs(const std::vector<syntax::SpecId>& list, bool is_broken);
  struct Part {  // one of such a list
    Range words;
    bool has_attributes;
  };
  void separate(const std::vector<Part>& parts, bool is_broken);
  bool hasCommentAbove(WordIndex word) const;
  void prefixes(const syntax::Decl& decl, Range words);
  Range behindAttributes(Range words, const std::vector<syntax::Attribute>& attributes);
  WordIndex keyword(WordIndex first, const std::vector<syntax::Attribute>& attributes);
  Range parameters(const std::vector<syntax::TypeParameter>& parameters);
  void functionHead(const syntax::FunctionParts& function, WordIndex name, bool is_local);
  void infixHead(const syntax::FunctionParts& function);
  void function(const syntax::FunctionDecl& decl, Range words);
  void typeHead(const syntax::Identifier& name,
                const std::vector<syntax::TypeParameter>& parameters, syntax::Lift lift);
  void definedType(syntax::TypeExprId type, Range words);
  void value(const syntax::ValDecl& decl, Range words);

  // layout_module.cpp
  void moduleDecl(const syntax::ModuleDecl& decl, Range words);
  bool endsInLines(syntax::ModuleExprId id) const;
  void moduleTypeDecl(const syntax::ModuleTypeDecl& decl, Range words);
  Range moduleParameter(const syntax::ModuleParameter& parameter);
  void body(Range words, bool is_empty);
  void withs(syntax::ModuleTypeId id);
  void arrow(const syntax::ModuleTypeArrow& arrow, bool is_broken);

  const syntax::Tree& tree_;
  Words& words_;
  std::vector<Scope> scopes_;
  std::vector<Node> todo_;
};

// Gaps that no rule has decided.
void setSpacing(Words& words);
// All words with their gaps.
std::string emit(const Words& words, std::vector<Scope> scopes);

}  // namespace halo::format
