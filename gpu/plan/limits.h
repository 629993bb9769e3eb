// A device as schedules see it, without a user's request and from measured schedules. Two devices
// with equal limits run the same kernels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace halo::gpu {

// Bytes that a launch may take for arrays of its cells on any device.
inline constexpr int64_t kMinScratch = int64_t{1} << 30;

// Elements of an array of constant size that is private to an invocation. Larger ones spill anyway:
// they are in scratch memory.
inline constexpr int64_t kMaxPrivateElements = 256;

// Elements of a row of a cooperative matrix; 0: the device has none. The text of limits leaves it
// out then.
struct MatrixDepth {
  int64_t elements = 0;
  bool operator==(const MatrixDepth&) const = default;
};

// The defaults are those of a dump without a device.
struct Limits {
  std::string name = "default";
  int subgroup = 32;  // 0: no shuffles between invocations
  int64_t shared_bytes = 32 * 1024;
  int64_t most_invocations = 1024;      // of a workgroup
  int64_t scratch_bytes = kMinScratch;  // of a launch, for arrays of cells
  bool groups_talk = true;              // workgroups of one launch see each other's atomic stores
  bool groups_finish =
      false;  // a workgroup that has started keeps running while others wait for it
  // Of cooperative matrices with 16 rows, or columns, by the type of their elements.
  MatrixDepth matrix_f16, matrix_i8, matrix_u8;
  bool operator==(const Limits&) const = default;
};

// Shapes are chosen for so much, and were measured with it: several workgroups run concurrently
// then. Kernels that need more, or are forced to, may have all of it (Limits::shared_bytes).
inline int64_t usualSharedBytes(const Limits& limits) {
  constexpr int64_t kUsual = 32 * 1024;
  return std::min(limits.shared_bytes, kUsual);
}

// Whether subgroups exchange registers in the ways that templates know.
inline bool hasLanes(const Limits& limits) {
  const int lanes = limits.subgroup;
  return lanes >= 4 && lanes <= 32 && (lanes & (lanes - 1)) == 0;
}

// `--variant=NAME`, or a measured schedule: where this variant exists it is taken, whatever the
// sizes. Empty: the rules decide. A name may be followed by numbers, `rows:8,1,2`: their meaning is
// the variant's own (templates/README.md), 0 and missing numbers leave a choice to the rules.
struct Request {
  std::string forced;
  std::vector<int64_t> numbers;
  bool allows(const std::string& name) const { return forced.empty() || forced == name; }
  int64_t number(const std::string& name, size_t which, int64_t otherwise) const {
    bool is_given = forced == name && which < numbers.size() && numbers[which] > 0;
    return is_given ? numbers[which] : otherwise;
  }
};

}  // namespace halo::gpu
