// An Imp kernel as a GLSL compute shader: stage `glsl`. The printer decides nothing. Constructs
// that GLSL lacks have been raised away (gpu/raise), indices are i32 or i64 as Imp has them, and
// every float operation is `precise`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/raise/outline_repeats.h"
#include "lang/imp/ir.h"

namespace halo::gpu {

// Where the kernel's arguments lie in its argument block (bytes). The block is push constants if it
// fits, else a buffer whose address is pushed. Scalars below 32 bits are widened to 32.
//   0   address of the failure record
//   8   offset of the first workgroup, 3 x u32 (a launch beyond the device's limit is split)
//   20  number of workgroups of the whole launch, 3 x u32
//   32  addresses of the buffers, then scalars of 8 bytes, then those of 4, then, in a kernel that
//       can fail, the number of its first failure site
struct ArgumentLayout {
  static constexpr uint32_t kFailure = 0;
  static constexpr uint32_t kGroupOffset = 8;
  static constexpr uint32_t kGroupCount = 20;
  static constexpr uint32_t kFirst = 32;
  std::vector<uint32_t> buffers;
  std::vector<uint32_t> scalars;
  std::vector<uint32_t> scalar_bytes;  // 8 or 4
  std::optional<uint32_t> first_site;
  uint32_t bytes = 0;
};
ArgumentLayout argumentLayout(const imp::Program& program, const imp::Function& kernel);

// The failure sites of a kernel in the order of its code. A shader numbers them from 0, and reports
// the first of its arguments plus that: equal code of two calls is one shader.
std::vector<int> failureSites(const imp::Function& kernel);

struct GlslOptions {
  uint32_t push_bytes = 128;         // larger argument blocks go through a buffer
  bool signed_zero_nan_f16 = false;  // execution modes the device has (reliability.md#traps)
  bool signed_zero_nan_f32 = false;
  bool signed_zero_nan_f64 = false;
  bool checks_failure = true;  // some kernel of the program can fail: look before starting
  bool checks_stop = false;    // the same for the word that ends loops (imp::ExitFlag)
  bool moves_pointers = true;  // by 64-bit integers, so that constant distances cost nothing
  bool round_even_f16 = false;
  bool round_even_f32 = false;
  bool round_even_f64 = false;
  bool denormals_f32 = false;
  bool denormals_f64 = false;
  uint32_t long_code = kLongCode;  // statements from which on a kernel outlines repeated code
  bool fuses = false;              // `fma` rounds once
  bool contracts = false;  // a product and a sum may be rounded together: nothing is `precise`
};

std::string printGlsl(const imp::Program& program, const imp::Function& kernel,
                      const GlslOptions& options);
// The same with code that `functions` have (raise/outline_repeats.h); `kernel` as it was before.
std::string printGlsl(const imp::Program& program, const imp::Function& kernel,
                      const GlslOptions& options, const Repeats& repeats);

// Which scalar types the kernel computes with or stores: the engine compares with the device.
struct KernelTypes {
  bool int8 = false, int16 = false, int64 = false, float16 = false, float64 = false;
  bool storage8 = false, storage16 = false;
  bool subgroups = false, shuffles = false;
  bool talks = false;  // between workgroups
  bool atomics64 = false;
  bool matrices = false;   // cooperative matrices
  bool mul_hi = false;     // of 32 bits, which GLSL has as a procedure
  bool whole_f64 = false;  // f64 rounded to whole numbers, which lavapipe does wrongly
  bool extrema_f32 = false;
  bool fma_f32 = false, fma_f64 = false;
};
KernelTypes typesOf(const imp::Program& program, const imp::Function& kernel);
// Bytes of shared memory that a workgroup uses.
uint32_t sharedBytes(const imp::Program& program, const imp::Function& kernel);

}  // namespace halo::gpu
