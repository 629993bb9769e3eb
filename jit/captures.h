// The values that the body of a parallel loop takes from the function around it, when it becomes a
// function of its own.
#pragma once

#include <vector>

#include "lang/imp/private_arrays.h"

namespace halo::jit {

struct Captures {
  std::vector<imp::VarId> vars;        // read; a body that may run in parallel assigns none of them
  std::vector<imp::BufferId> buffers;  // neither allocated nor bound anew inside
};

// `all`: the uses in the function.
Captures capturesOf(const imp::Program& program, const imp::BufferUses& all, const imp::For& loop);

// Roughly the instructions of one iteration; loops whose trips are not known count as 64.
int64_t estimatedWork(const imp::Block& body);

}  // namespace halo::jit
