// What a number's spelling says about its value.
#pragma once

#include "lang/syntax/ast.h"

namespace halo::syntax {

// `0xFFFFFFFFi32` is -1: with a suffix, hexadecimal and binary digits are the bits of the value.
inline bool isBits(const Number& number) {
  return number.suffix && !number.is_decimal && number.text.size() > 2 && number.text[0] == '0' &&
         (number.text[1] == 'x' || number.text[1] == 'b');
}

}  // namespace halo::syntax
