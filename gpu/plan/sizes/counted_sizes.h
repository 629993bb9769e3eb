// Sizes that kernels count and the host does not know, with bounds that it does know
// (bound_sizes.h): `count = i64.min own most`. The host gives arrays of `count` elements room for
// `most` and launches as much; kernels find the size in device memory and leave the rest alone.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "lang/core/ir.h"

namespace halo::gpu {

// More elements than this take longer than a wait. On an H200 a million invocations without work
// take 1.6 us.
inline constexpr int64_t kMaxCounted = int64_t{1} << 22;

// The same for arrays whose size becomes smaller, but not their room: all steps launch for that
// (loops/shrinking.h).
inline constexpr int64_t kMaxCarried = int64_t{1} << 18;

// Whether the size is a constant up to `kMaxCounted`.
bool isSmallSize(const core::Operand& size);

struct CountedSize {
  core::ValueId own;   // the kernel's
  core::Operand most;  // a constant up to kMaxCounted; or `own`, where that is more
};

// Of the statement `count = i64.min own most`. `statement` finds the one that makes a value, if
// any.
using MakerOf = std::function<const core::Stm*(core::ValueId)>;
std::optional<CountedSize> countedSize(const core::Program& program, const core::Stm& stm,
                                       const MakerOf& statement);

// The scalar in an array of one element, by a kernel of one invocation; whether a kernel is such a
// one.
bool isBox(const core::Function* kernel);
core::Stm boxed(core::Program& program, core::ValueId scalar, const std::string& name);

// Whether the kernel may take this size parameter from the device. It has one iteration for each of
// so many elements, or reads and checks elements of arrays of that length. Its order of float
// operations does not depend on the room.
bool takesCounted(const core::Program& program, const core::Function& kernel, size_t param);

}  // namespace halo::gpu
