// Types under inference as they are shown in messages: an unknown prints as its possible types.
#pragma once

#include <string>

#include "lang/types/sizes/size_table.h"

namespace halo::types {

class TypePrinter {
 public:
  TypePrinter(const Program& program, TypeTable& types, SizeTable& sizes)
      : program_(program), types_(types), sizes_(sizes) {}

  std::string print(TypeRef type);
  std::string print(const Size& size);

 private:
  std::string print(SizeExprId id);
  std::string printForm(const WrittenSize& form);

  const Program& program_;
  TypeTable& types_;
  SizeTable& sizes_;
};

}  // namespace halo::types
