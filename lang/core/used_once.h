// Whether a value has one use, by the counts of core::useCounts (rewrite.h).
#pragma once

#include <unordered_map>

#include "lang/core/ir.h"

namespace halo::core {

inline bool isUsedOnce(const std::unordered_map<ValueId, int>& counts, ValueId value) {
  const auto count = counts.find(value);
  return count != counts.end() && count->second == 1;
}

}  // namespace halo::core
