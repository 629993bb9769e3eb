// Internal to the parser: declarations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/syntax/parse/rules.h"

namespace halo::syntax {

class DeclParser : Rules {
 public:
  explicit DeclParser(Parser& parser) : Rules(parser) {}

  std::vector<DeclId> declarations(bool in_module);
  void functionTail(FunctionParts& function);
  ValDecl valDecl();
  TypeSpec typeHead();
  ImportDecl importDecl();

 private:
  std::optional<DeclId> declaration();
  DeclNode declarationBody();
  std::string helpWithoutKeyword() const;
  std::string helpForNames(size_t first) const;
  FunctionDecl functionDecl();
  bool startsInfixDefinition() const;
  void infixHead(FunctionParts& function);
  TypeDecl typeDecl();
};

}  // namespace halo::syntax
