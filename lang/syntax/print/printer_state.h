// Internal to the printer: how each kind of node is spelled. printer.cpp has declarations and
// names, print_module.cpp modules, print_type.cpp types and patterns, print_expr.cpp expressions.
#pragma once

#include "lang/syntax/parse/pieces.h"
#include "lang/syntax/print/printer.h"

namespace halo::syntax {

class Printer {
 public:
  explicit Printer(const Tree& tree) : tree_(tree) {}

  Pieces operator()(const Piece& piece) const;
  Pieces declaration(DeclId id) const;
  Pieces declarations(const std::vector<DeclId>& ids) const;
  Pieces head(const Decl& decl) const;

 private:
  Pieces expression(ExprId id) const;
  Pieces let(const Let& node) const;
  Pieces letFunction(const LetFunction& node) const;
  Pieces bodyOfLet(ExprId body) const;
  Pieces loop(const Loop& node) const;
  Pieces indexes(const std::vector<IndexPart>& parts) const;
  Pieces indexPart(const IndexPart& part) const;
  Pieces path(const std::vector<PathStep>& path) const;
  Pieces match(const MatchExpr& node) const;
  Pieces constructor(const Constructor& node) const;

  Pieces attributes(const std::vector<Attribute>& attributes) const;
  Pieces module(const ModulePiece& piece) const;
  Pieces moduleType(const ModuleTypePiece& piece) const;
  Pieces moduleParameter(const ModuleParameter& parameter) const;
  Pieces spec(SpecId id) const;
  Pieces val(const ValDecl& node) const;
  Pieces moduleHead(const ModuleDecl& node) const;
  template <typename TypeNode>
  Pieces typeBinding(const TypeNode& node) const {
    static constexpr const char* kWords[] = {"type ", "type~ ", "type^ "};
    Pieces out;
    out.add(kWords[static_cast<int>(node.lift)] + node.name.name);
    out.append(typeParameters(node.parameters));
    if (node.type.valid()) out.add(" = ", TypePiece{node.type});
    return out;
  }

  Pieces pattern(const PatternPiece& piece) const;
  Pieces type(const TypePiece& piece) const;
  Pieces sum(const TypeSum& node) const;
  Pieces application(const TypeName& node) const;
  Pieces functionHead(const FunctionParts& function) const;
  Pieces typeParameters(const std::vector<TypeParameter>& parameters) const;
  Pieces doc(const std::string& text) const;

  const Tree& tree_;
};

// An operator in parentheses, a name as it is.
std::string spelledName(const std::string& name);
std::string spelledName(const QualifiedName& name);
std::string spelledQualified(const QualifiedName& name);
// Between two operands: an operator as it is, a name in backticks.
std::string spelledInfix(const QualifiedName& name);
std::string spelledPath(const std::vector<Identifier>& path);
std::string spelledString(const std::string& bytes);

}  // namespace halo::syntax
