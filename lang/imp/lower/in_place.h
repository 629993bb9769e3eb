// Maps that may write a result over one of their inputs, for each element is read before it is
// written, and has no reads afterwards:
//
//   a' = screma [n] (a, ys) map (x, y) { .. return z }       a' where a was
//
// Inner maps over the rows of `a` likewise. It saves the memory, and the traffic of a second array.
#pragma once

#include <functional>
#include <unordered_set>
#include <vector>

#include "lang/core/ir.h"

namespace halo::imp {

using ValueSet = std::unordered_set<core::ValueId>;

// May result `result` of the map be written over these inputs, which are names of one array? Their
// elements have the result's type.
bool mayOverwrite(const core::Program& core, const core::Screma& node, size_t result,
                  const ValueSet& inputs);

// May the loop's next value of carried array `k` be written over this one? Parts of it that the map
// reads elsewhere, such as one row for all others, have to be copied before; they are smaller.
bool isMappedInPlace(const core::Program& core, const core::Loop& loop, size_t k);

// A map over `inputs` that leaves an element, or a row, as it is wherever its index compares so
// with an invariant of the map. Those iterations need not run if the result is written over the
// inputs. `op` is one of kLt, kLe, kGt, kGe.
struct Kept {
  prim::Op op;
  core::Operand bound;
};
// `is_index`: arrays that hold 0, 1, .. . Empty as well if something in the map may fail.
std::vector<Kept> keptWhere(const core::Screma& node, const ValueSet& inputs,
                            const std::function<bool(core::ValueId)>& is_index);

}  // namespace halo::imp
