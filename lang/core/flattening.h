// Flattening attributes between a program's text, a SOAC and Core text (flattening.def). Before:
// `#[sequential_inner] map f xs`; after: `screma sequential_inner [n] (xs) map ..`. An attribute
// belongs to the outermost SOACs of its expression, through the functions that it calls.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lang/core/ir.h"

namespace halo::core {

std::optional<Flattening::Attribute> flatteningFromWord(std::string_view word);
// All words of the set, a space behind each.
std::string flatteningWords(Flattening flattening);
// The request in the text between `#[` and `]`; none in attributes of other kinds.
Flattening flatteningOf(std::string_view attribute);
// Of a screma, stencil, scatter or hist; null for others.
Flattening* flatteningIn(Expr& expr);

}  // namespace halo::core
