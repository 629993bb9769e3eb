// Between values and the leaves that compiled entries take.
#pragma once

#include <vector>

#include "jit/host_program.h"

namespace halo::jit {

// Arrays become dense and come to the host; the leaves keep them alive.
diag::Result<std::vector<Leaf>> toLeaves(const std::vector<value::Value>& values);
diag::Result<std::vector<value::Value>> fromLeaves(const std::vector<Leaf>& leaves);

}  // namespace halo::jit
