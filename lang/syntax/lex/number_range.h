// Integers that 64 bits do not hold: floats can be meant by them, and with a suffix they wrap.
#pragma once

#include "lang/syntax/ast.h"

namespace halo::syntax {

// `number.integer` holds the lowest 64 bits of such a number, `number.text` all of it.
bool exceeds64Bits(const Number& number);

}  // namespace halo::syntax
