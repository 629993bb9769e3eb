// Internal to the parser: type expressions.
#pragma once

#include "lang/syntax/parse/rules.h"

namespace halo::syntax {

class TypeParser : Rules {
 public:
  explicit TypeParser(Parser& parser) : Rules(parser) {}

  TypeExprId type();
  TypeExprId typeTerm();  // without `->`
  TypeExprId existentialType();

 private:
  TypeExprId sumType();
  bool startsTypeArgument() const;
  TypeExprId typeApplication();
  TypeExprId typeAtom();
  TypeExprId arrayType();
  TypeExprId parenthesisedType();
  TypeExprId recordType();
  ExprId sizeInBrackets();
};

}  // namespace halo::syntax
