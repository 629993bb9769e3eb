// How many pairs of places and a value a scatter's map gives for each of its destinations: as many
// as its results are. Nearly always one; several where parts of one length were put together,
//
//   scatter [n] (is, js, xs, ys) map (i, j, x, y) { return i, x, j, y } into (a 1)
//
// Results are in order: for each destination its pairs, in each pair the indices in front.
#pragma once

#include "lang/core/ir.h"

namespace halo::core {

inline int writesOf(const std::vector<ScatterDest>& destinations, size_t results) {
  size_t once = 0;
  for (const ScatterDest& destination : destinations) {
    once += static_cast<size_t>(destination.index_rank) + 1;
  }
  return once == 0 ? 0 : static_cast<int>(results / once);
}
inline int writesOf(const Scatter& node) {
  return writesOf(node.destinations, node.map.body.results.size());
}

}  // namespace halo::core
