// Cells that reduce rows of their own lengths, and make nothing else but scalars: rows of a sparse
// matrix, neighbours of a vertex. Lanes of a subgroup may share such a cell: all of them compute
// its scalars, and each takes some elements of a row.
//
// A loop over a row is shared, too, where most of its body needs no carried value. Lanes compute
// those parts for several iterations; then all of them run the rest in order.
//
//   screma [n] (is) map (i) {
//     a = index starts[i];  b = index starts[i + 1];  k = i64.sub b a
//     row = slice values[a:k:1]
//     s = screma [k] (row) map (v) { .. } reduce f32.add 0f32
//     return s }
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "lang/core/ir.h"

namespace halo::gpu {

// A loop over a row: early statements mention no carried value, late ones are scalar code that
// does, with early values.
struct RowLoop {
  std::vector<core::Stm> early, late;
  std::vector<core::ValueId> handed_on;  // scalars of the early part that are used behind it
};

struct LaneCells {
  std::vector<const core::Screma*> levels;  // of the nest; the last one has the cell's body
  // First results of the reductions that lanes share. Each with a parameter of the kernel that has
  // more elements than the row, if there is one: an array that the row is a slice of.
  std::unordered_map<core::ValueId, core::ValueId> rows;
  std::unordered_map<core::ValueId, RowLoop> loops;  // the same of loops
  std::vector<core::ValueId> arrays;                 // parameters of the kernel that rows lie in
};

// Of a kernel of kind `map`. Nothing where a cell does something else, or where no row lies in an
// array from outside: lanes then gain nothing.
std::optional<LaneCells> asLaneCells(const core::Program& program, const core::Function& kernel);

}  // namespace halo::gpu
