// The meaning of the prelude's `val` definitions, by qualified name. `map` is an intrinsic,
// `f32.sqrt` and `i32.+` are primitives, `f32.i64` and `f32.to_bits` conversions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lang/types/checked.h"

namespace halo::types {

std::optional<BuiltIn> builtInMeaning(const std::string& qualified_name);

// The primitive behind an operator symbol: `+`, `<<`, `==`. `-` is the binary one.
std::optional<prim::Op> binaryOperator(const std::string& symbol);
std::optional<prim::Op> unaryOperator(const std::string& symbol);  // `-` `!`

}  // namespace halo::types
