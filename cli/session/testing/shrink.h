// Smaller arguments than those that refute a property, for the reader of the report.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lang/value/value.h"

namespace halo::session {

// A scalar or array of an argument. Dimensions of one name have one size; a constant one has none.
struct SizedLeaf {
  value::Value value;
  std::vector<std::string> sizes;
};

// Calls of a property, which may be slow.
inline constexpr int kShrinkTries = 1000;

// The simplest that still refutes: sizes and numbers are cut down, one after the other, while
// `refutes` says so, which is asked `tries` times at most.
std::vector<SizedLeaf> shrink(std::vector<SizedLeaf> leaves,
                              const std::function<bool(const std::vector<SizedLeaf>&)>& refutes,
                              int tries);

}  // namespace halo::session
