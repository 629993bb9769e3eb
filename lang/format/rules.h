// Internal: the rules, a class for each part of the grammar. Public are those of nodes, and those
// that rules of other parts call.
#pragma once

#include <vector>

#include "lang/format/node_layout.h"

namespace halo::format {

// layout_expr.cpp
class ExpressionLayout : NodeLayout {
 public:
  explicit ExpressionLayout(LayoutState& state) : NodeLayout(state) {}
  void expression(syntax::ExprId id);

 private:
  void parenthesised(Range value, Range words);
  void elements(Range words, const std::vector<syntax::ExprId>& list);
  void fields(Range words, const syntax::RecordExpr& record);
  void rangeForm(const syntax::RangeExpr& e);
  void binary(const syntax::Binary& e, bool is_broken);
  void section(const syntax::OperatorSection& section, Range words);
  void ascription(syntax::ExprId value, syntax::TypeExprId type, bool is_broken);
  void application(syntax::ExprId id);
  void updates(syntax::ExprId id);
};

// layout_path.cpp: indices, slices and fields behind a value
class PathLayout : NodeLayout {
 public:
  explicit PathLayout(LayoutState& state) : NodeLayout(state) {}
  void indices(const std::vector<syntax::IndexPart>& parts);
  void path(const std::vector<syntax::PathStep>& path);

 private:
  void slice(const syntax::IndexPart& part, Range words);
};

// layout_form.cpp: expressions that begin with a keyword, and lambdas
class FormLayout : NodeLayout {
 public:
  explicit FormLayout(LayoutState& state) : NodeLayout(state) {}
  void lambda(const syntax::Lambda& lambda, Range words);
  void letForm(const syntax::Let& let, Range words);
  void letFunction(const syntax::LetFunction& let, Range words);
  void ifForm(const syntax::If& node, Range words);
  void matchForm(const syntax::MatchExpr& match, Range words);
  void loopForm(const syntax::Loop& loop, Range words);

 private:
  Range letUpdate(syntax::ExprId id);
  void letBody(WordIndex next, syntax::ExprId body, bool is_broken);
  Range loopHead(const syntax::Loop& loop);
};

// layout_type.cpp
class PatternLayout : NodeLayout {
 public:
  explicit PatternLayout(LayoutState& state) : NodeLayout(state) {}
  void pattern(syntax::PatternId id);

 private:
  void fields(Range words, const syntax::PatternRecord& record);
};

// layout_type.cpp
class TypeLayout : NodeLayout {
 public:
  explicit TypeLayout(LayoutState& state) : NodeLayout(state) {}
  void type(syntax::TypeExprId id);

 private:
  void fields(Range words, const syntax::TypeRecord& record);
  void typeName(const syntax::TypeName& name, Range words);
  void functionType(const syntax::TypeFunction& function, bool is_broken);
  void sum(const syntax::TypeSum& sum, Range words);
  void existential(const syntax::TypeExistential& type);
};

// layout_decl.cpp: declarations and specs of functions, values and types
class DeclLayout : NodeLayout {
 public:
  explicit DeclLayout(LayoutState& state) : NodeLayout(state) {}
  void declaration(syntax::DeclId id);
  void spec(syntax::SpecId id);
  void paragraphs(const std::vector<syntax::DeclId>& list, bool is_broken);
  void paragraphs(const std::vector<syntax::SpecId>& list, bool is_broken);
  Range parameters(const std::vector<syntax::TypeParameter>& parameters);
  void functionHead(const syntax::FunctionParts& function, WordIndex name, bool is_local);

 private:
  struct Part {  // a declaration or spec of a list
    Range words;
    bool has_attributes;
  };
  void separate(const std::vector<Part>& parts, bool is_broken);
  bool hasCommentAbove(WordIndex word) const;
  void prefixes(const syntax::Decl& decl, Range words);
  Range behindAttributes(Range words, const std::vector<syntax::Attribute>& attributes);
  WordIndex keyword(WordIndex first, const std::vector<syntax::Attribute>& attributes);
  void infixHead(const syntax::FunctionParts& function);
  void function(const syntax::FunctionDecl& decl, Range words);
  void typeHead(const syntax::Identifier& name,
                const std::vector<syntax::TypeParameter>& parameters, syntax::Lift lift);
  void definedType(syntax::TypeExprId type, Range words);
  void value(const syntax::ValDecl& decl, Range words);
};

// layout_module.cpp
class ModuleLayout : NodeLayout {
 public:
  explicit ModuleLayout(LayoutState& state) : NodeLayout(state) {}
  void module(syntax::ModuleExprId id);
  void moduleType(syntax::ModuleTypeId id);
  void moduleDecl(const syntax::ModuleDecl& decl, Range words);
  void moduleTypeDecl(const syntax::ModuleTypeDecl& decl, Range words);

 private:
  bool endsInLines(syntax::ModuleExprId id) const;
  Range moduleParameter(const syntax::ModuleParameter& parameter);
  void body(Range words, bool is_empty);
  void withs(syntax::ModuleTypeId id);
  void arrow(const syntax::ModuleTypeArrow& arrow, bool is_broken);
};

}  // namespace halo::format
