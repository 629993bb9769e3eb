// Shared memory that a device does not have, in device memory instead: right on every device, and
// slower than templates that keep within the limit.
#pragma once

#include <vector>

#include "lang/imp/builder.h"

namespace halo::gpu {

// Shared buffers of a kernel beyond `limit` bytes become parameters, the largest first; each
// workgroup has its part of them. `groups` (host operands): of the launch. Allocates in host code
// and returns the host's buffers, in the order of the new parameters.
std::vector<imp::BufferId> spillShared(imp::Program& program, imp::Builder& host,
                                       imp::Function& kernel, const imp::Operands& groups,
                                       int64_t limit);

}  // namespace halo::gpu
