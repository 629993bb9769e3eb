// How large the body of a loop is, which decides how many iterations run side by side.
#pragma once

#include <unordered_set>

#include "lang/imp/ir.h"

namespace halo::jit {

struct BodySize {
  size_t statements = 0;
  int widest = 1;  // bytes of the widest scalar that it loads, stores or carries
  bool has_loops = false;
};
BodySize sizeOf(const imp::Program& program, const imp::Block& body);

// The most values of `varying` variables that are needed at one time.
size_t liveVectors(const imp::Program& program, const imp::Block& body,
                   const std::unordered_set<imp::VarId>& varying);

// The same statements, with arithmetic right before its first use: `a * b` of each neighbour where
// the sum takes it, not all in front.
imp::Block inOrderOfUse(const imp::Program& program, const imp::Block& body);

}  // namespace halo::jit
