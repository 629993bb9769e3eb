// The features of a device, as far as Halo cares. All of them may be restricted by a profile, so
// that tests see poorer devices than the machine has.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "lang/diag/diagnostic.h"

namespace halo::gpu::vulkan {

struct Features {
  bool int8 = false, int16 = false, int64 = false, float16 = false, float64 = false;
  bool storage8 = false, storage16 = false;
  // Of subgroups, in compute shaders.
  bool subgroup_arithmetic = false, subgroup_ballot = false, subgroup_shuffle = false;
  bool subgroup_shuffle_relative = false;
  bool shuffles() const { return subgroup_shuffle && subgroup_shuffle_relative; }
  bool memory_model = false;   // the Vulkan memory model with device scope
  bool atomics_int64 = false;  // on buffers
  bool atomics_f32 = false;    // addition, on buffers
  bool sparse = false;         // buffers bound to several allocations
  bool host_pages = false;     // memory of the host as a buffer
  bool copy_queue = false;     // for copies that overlap kernels
  // Of cooperative matrices of 16 rows, or columns, with elements of these types and sums of 32
  // bits; 0: the device has none.
  uint32_t matrix_depth_f16 = 0, matrix_depth_i8 = 0, matrix_depth_u8 = 0;
  bool has_matrices() const { return matrix_depth_f16 + matrix_depth_i8 + matrix_depth_u8 > 0; }
  // The float modes that may be requested (reliability.md#traps).
  bool signed_zero_nan_f16 = false, signed_zero_nan_f32 = false, signed_zero_nan_f64 = false;
  bool round_even_f16 = false, round_even_f32 = false, round_even_f64 = false;
  bool denormals_f32 = false, denormals_f64 = false;
  bool extrema_f32 = false;         // min and max know NaN and the order of zeros (raise.h)
  bool mixes_up_divisions = false;  // of 64-bit integers: a bug of the driver (raise.h)
  bool is_hardware = false;         // not a software implementation
  bool is_reference = false;        // of referenceFeatures(): no device, and no driver with faults
  uint32_t long_code = 3000;        // statements that the instruction cache holds, about
  uint32_t subgroup_size = 1;
  uint32_t max_workgroup = 0;  // invocations
  uint32_t max_workgroup_size[3] = {};
  uint32_t max_groups[3] = {};
  uint32_t shared_bytes = 0;
  uint32_t push_bytes = 0;
  uint64_t max_allocation = 0;
  uint64_t memory_bytes = 0;  // of the largest heap of the device
  double timestamp_ns = 0;    // per tick; 0: no timestamps
};

// A feature by the name that profiles and `halo devices` use.
struct FeatureRow {
  const char* name;
  const char* text;
  std::variant<bool Features::*, uint32_t Features::*, uint64_t Features::*> field;
};
std::span<const FeatureRow> featureRows();

// A profile is lines `NAME yes|no|NUMBER`, with `#` comments. `max_groups N` counts for every
// dimension. `refuses TEXT`: its driver compiles no kernel with TEXT in its name, `chokes TEXT`:
// only without optimisation. Numbers only lower a device's limits, `no` takes away, `yes` changes
// nothing. A subgroup size that the device does not have takes the subgroup operations away:
// kernels could not be run with it. No path: no profile. Failure: missing_file, malformed_value.
diag::Result<std::monostate> setDeviceLimits(const std::string& path);
// As the profile says, if one was set.
Features limited(Features features);
// Of the device for which stages are printed if none is named, as far as the profile allows. Its
// cooperative matrices are those that a profile names.
Features referenceFeatures();
bool refusesKernel(const std::string& name);
bool chokesOnKernel(const std::string& name);

}  // namespace halo::gpu::vulkan
