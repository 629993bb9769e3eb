// Values that a statement binds: its results, and the parameters of its lambdas and its loop.
#pragma once

#include <unordered_set>

#include "lang/core/visit.h"

namespace halo::core {

inline void addBound(const Stm& stm, std::unordered_set<ValueId>& values) {
  values.insert(stm.results.begin(), stm.results.end());
  visitBound(stm.expr, [&](ValueId value) { values.insert(value); });
}

}  // namespace halo::core
