// Constants in Core text: 3i64 -1i8 1.5e-07f32 -0f32 f32.nan f32.inf f64.ninf true.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lang/prim/prim.h"

namespace halo::core {

std::string scalarText(prim::Scalar scalar);

// A token that looks like a number; without a type it is an i64. Nothing if the type does not
// exist or the value does not fit.
std::optional<prim::Scalar> readNumber(std::string_view text);
// true false f32.nan ..; nothing for other words.
std::optional<prim::Scalar> readWord(std::string_view text);

}  // namespace halo::core
