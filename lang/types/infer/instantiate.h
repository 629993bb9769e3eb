// Copies of types and sizes with parameters replaced.
#pragma once

#include "lang/types/sizes/size_table.h"

namespace halo::types {

class Instantiator {
 public:
  Instantiator(TypeTable& types, SizeTable& sizes) : types_(types), sizes_(sizes) {}

  TypeRef instantiate(TypeRef type, const Substitution& substitution);
  Size instantiate(const Size& size, const Substitution& substitution);
  SizeExprId instantiate(SizeExprId expression, const Substitution& substitution);

 private:
  class Instantiation;

  TypeTable& types_;
  SizeTable& sizes_;
};

}  // namespace halo::types
