// Parts of a body: which statements its results need, and the cost of those.
#pragma once

#include <algorithm>
#include <vector>

#include "lang/core/ir.h"

namespace halo::lower {

// For each statement of a body whether it belongs to the part.
using Needed = std::vector<bool>;

// The statements that these operands need, without those that may fail and have no used result.
Needed neededFor(const core::Program& program, const core::Body& body,
                 const core::Operands& operands);
void keepOnly(core::Body& body, const Needed& needed);

template <typename Holds>
bool allOf(const core::Body& body, const Needed& needed, const Holds& holds) {
  for (size_t i = 0; i < needed.size(); ++i) {
    if (needed[i] && !holds(body.stms[i])) return false;
  }
  return true;
}

// A few scalar operations that cannot fail: it does not matter if they are done twice.
bool isCheap(const core::Program& program, const core::Stm& stm);

}  // namespace halo::lower
