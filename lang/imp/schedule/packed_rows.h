// Loops of lanes that walk along rows of an array, each lane along its own and all of them again
// and again:
//
//   for i lanes { for j { for l { .. xs[i * d + l] .. } } }
//
// Neighbouring lanes read elements at a stride of a row, one by one. So the rows of a strip of
// lanes are packed first [Goto, van de Geijn 2008], and then read where they are neighbours:
//
//   for strip { for l { for i { packed[l, i] = xs[(first + i) * d + l] } }
//               for i lanes { for j { for l { .. packed[l, i - first] .. } } } }
//
// Only while rows are short (kMaxPackedRow elements), so that the packed copy stays in the cache.
#pragma once

#include <functional>

#include "lang/imp/builder.h"

namespace halo::imp {

inline constexpr int64_t kStrip = 1024;        // lanes
inline constexpr int64_t kMaxPackedRow = 256;  // elements

struct PackedRows {
  std::function<BufferId(Builder&, ScalarType, Operand elements)> allocate;
  std::function<void(Builder&, BufferId)> release;
  bool parallel = false;  // strips may run on threads
};

// Appends the loop, in strips if it walks along rows. Says whether it did anything.
bool appendInStrips(Builder& b, const For& loop, const PackedRows& place);

}  // namespace halo::imp
