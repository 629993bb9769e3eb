// The statements of a step that change a carried array in place: updates, scatters, histograms, and
// loops and branches of such.
//
//   s = m with [i] = v;  t = match c { true -> { return s with [j] = w } else -> { return s } }
//
// are two changes of m, which make t: an update, and a branch with one update in its first arm.
#pragma once

#include <optional>

#include "lang/ad/emit.h"

namespace halo::ad {

struct Change {
  size_t at, result;                           // the statement, and which of its results
  std::vector<Change> inner = {};              // of a loop, by its step
  std::vector<std::vector<Change>> arms = {};  // of a branch; an arm may change nothing
};
using Changes = std::vector<Change>;

// What makes `after` of an array that is not made in the body, in order; none if other statements
// do.
struct Trace {
  Changes changes;
  ValueId before;
};
std::optional<Trace> traceOf(const Body& body, const Operand& after);

// Where a scatter or a histogram changes its array.
struct PlacesOfNode {
  Operand width;
  std::vector<ValueId> indices;
  bool is_hist = false;
};
std::optional<PlacesOfNode> placesOf(const Expr& expr);

}  // namespace halo::ad
