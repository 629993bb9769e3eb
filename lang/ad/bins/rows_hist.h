// A histogram of rows whose operator combines them element by element is one of elements.
//
//   hist [n] (is, xss: [n][m]) map2 op
// becomes
//   hist [n * m] (is[t / m], t % m, xss flat) op  for t < n * m
#pragma once

#include <optional>

#include "lang/ad/emit.h"

namespace halo::ad {

// Of a node with one operation and a lambda that only passes on; rows of rows, down to numbers.
std::optional<core::Hist> byElement(Emitter& out, const core::Hist& node);

}  // namespace halo::ad
