// Which nests of several parallel statements run one cell in each invocation, as they are written.
// Others run one statement after another for all cells (distribute.h). Sizes decide, at run time.
#pragma once

#include <string>

#include "gpu/plan/nests/distribute.h"
#include "lang/core/builder.h"

namespace halo::gpu {

// Whether there are sizes for which cells had better stay whole, as far as constants say.
bool mayStayWhole(const Distributed& parts);
// Whether these are such sizes. A cell has few elements inside. Or there are many cells around a
// loop whose steps would go through memory, or many that make their own data.
core::Operand staysWhole(core::Builder& host, const Distributed& parts);
// For `--explain`.
std::string describeChoice(const Distributed& parts);

}  // namespace halo::gpu
