// Internal to the parser: names, and the short forms around them that several rules share.
#pragma once

#include <string_view>
#include <vector>

#include "lang/syntax/parse/rules.h"

namespace halo::syntax {

class NameParser : Rules {
 public:
  explicit NameParser(Parser& parser) : Rules(parser) {}

  QualifiedName qualifiedName(std::string_view what);
  Identifier fieldName();
  void requireName(const Identifier& field);
  bool startsConstructor() const;
  Identifier constructorName();
  bool startsOperatorName() const;
  Identifier definedName(std::string_view what);
  void checkDefinable(const Identifier& name);
  std::vector<TypeParameter> typeParameters();
  std::vector<Identifier> sizeBinders();
  Attribute attribute();

 private:
  void attributeParts();
};

}  // namespace halo::syntax
