// Between values and the leaves that compiled entries take: one leaf for each scalar, and for each
// array of scalars its address and shape. An array of tuples is an array for each component.
#pragma once

#include <vector>

#include "jit/host_program.h"

namespace halo::jit {

// Arrays become dense and come to the host; the leaves keep them alive.
diag::Result<std::vector<Leaf>> toLeaves(const std::vector<value::Value>& values);
diag::Result<std::vector<value::Value>> fromLeaves(const std::vector<Leaf>& leaves);

}  // namespace halo::jit
