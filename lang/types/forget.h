// A session that evaluates expressions keeps values, not their expressions. Once `it` has its
// value, the nodes of its expression have no use, and would be 8 KB for each line.
#pragma once

#include <array>
#include <optional>

#include "lang/types/check.h"

namespace halo::types {

// How much an environment holds at some time.
struct Extent {
  std::array<size_t, 7> tree{};      // of each store
  std::array<size_t, 4> entities{};  // types, sizes, binders, type parameters
  size_t defs = 0;
  size_t tables = 0;  // entries that refer to nodes: definitions checked on demand, ..

  size_t nodes() const { return tree[0] + tree[1]; }  // expressions and patterns
};
Extent extentOf(const Environment& environment);

// Whether everything behind the extent is left over: failed inputs, and constants of this name, of
// which at most the last one is in use.
bool isLeftOver(const Environment& environment, const Extent& extent, const std::string& name);

// Drops the nodes behind the extent. `constant`, which is in use, takes a place there: its
// new id. None, and nothing changes, if it is not given, or if its type has sizes that are no
// numbers.
std::optional<DefId> forgetBehind(EnvironmentRef& environment, const Extent& extent,
                                  DefId constant);

}  // namespace halo::types
