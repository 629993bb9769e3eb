// Schedules of histograms.
#pragma once

#include "gpu/schedule/choose.h"

namespace halo::gpu {

inline constexpr int64_t kHistCopies = 32;   // of a bin, where there are several
inline constexpr int64_t kHistSlots = 2048;  // for frequent bins
inline constexpr int64_t kHistSamples =
    8;  // elements of an invocation that say which bins are frequent
inline constexpr int64_t kClaimTogether = 8;  // elements of an invocation whose loads are under way

// Nothing is refused: the last version takes histograms of any operators, rows and maps.
KernelChoice chooseHist(const core::Program& program, const core::Function& kernel,
                        const Limits& limits, const Request& request);

}  // namespace halo::gpu
