// Which arrays of few elements a loop needs no memory for: the compiler knows all places it reads.
//
//   loop (w: *[8]u32 = w0, s: u32 = 0u32) for i < 8i64 do {
//     a: u32 = index w[i]           known where the loop is written out, `i` being a number then
//     b: u32 = index w[a_place]     not known: `w` stays an array
//     v: [8]u32 = update w[3] = b   known; `v` is such an array in turn
//     return v, b }
#pragma once

#include <functional>

#include "lang/core/ir.h"

namespace halo::passes {

// Longer arrays stay.
inline constexpr int64_t kMaxKnownElements = 64;

// The statement that makes an array in front of the loop; null where it is unknown.
using DefinitionOf = std::function<const core::Expr*(core::ValueId)>;

struct ElementUses {
  std::vector<bool> known;      // of each carried value: an array whose places are known
  int64_t statements = 0;       // of one iteration, but for those that compute known numbers
  bool are_by_index = false;    // known elements are read or written at a place the index gives
  bool have_unwritten = false;  // there is code below that is never written out
};

// `index_known`: the loop is written out.
ElementUses elementUses(const core::Program& program, const core::Loop& loop,
                        const DefinitionOf& definition, bool index_known);

// Of an array that a statement makes from scalars; nothing where there are too many.
std::optional<core::Operands> elementsOf(const core::Program& program, const core::Expr& made);

}  // namespace halo::passes
