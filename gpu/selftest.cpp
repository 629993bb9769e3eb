// Two small kernels: one over pairs of floats, compared with the host, which rounds correctly. In
// the other one each workgroup waits for the one before it, as tiles with look-back do.
#include "gpu/selftest.h"

#include <bit>
#include <cmath>
#include <span>

namespace halo::gpu {
namespace {

constexpr uint32_t kPairs = 4096;
constexpr uint32_t kOutputs = 8;  // of each pair
constexpr uint32_t kTrips = 70000;

constexpr char kKernel[] = R"(#version 460
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 64) in;
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Floats { float at[]; };
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
layout(push_constant, scalar) uniform Arguments { Floats from; Words to; uint n; uint trips; } arg;
void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= arg.n) return;
  float a = arg.from.at[2u * i], b = arg.from.at[2u * i + 1u];
  precise float quotient = a / b;
  precise float root = sqrt(a);
  precise float sum = a * b + a;
  precise float tiny = a * uintBitsToFloat(0x00000100u);
  precise float zero = -(a - a);
  uint trips = 0u;
  if (i == 0u) { for (uint k = 0u; k < arg.trips; ++k) trips += arg.to.at[7] + 1u; }
  arg.to.at[8u * i] = floatBitsToUint(quotient);
  arg.to.at[8u * i + 1u] = floatBitsToUint(root);
  arg.to.at[8u * i + 2u] = floatBitsToUint(sum);
  arg.to.at[8u * i + 3u] = floatBitsToUint(tiny);
  arg.to.at[8u * i + 4u] = floatBitsToUint(zero);
  arg.to.at[8u * i + 5u] = gl_SubgroupSize;
  arg.to.at[8u * i + 6u] = trips;
}
)";

constexpr uint32_t kWaiting = 1024;  // workgroups
constexpr uint32_t kPolls = 50000;
// Word 0 counts tickets, word 1 + t is posted by the workgroup with ticket t.
constexpr char kWaitingKernel[] = R"(#version 460
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 64) in;
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint at[]; };
layout(push_constant, scalar) uniform Arguments { Words from; Words to; uint n; uint polls; } arg;
void main() {
  if (gl_LocalInvocationID.x != 0u) return;
  uint ticket = atomicAdd(arg.to.at[0], 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
  uint before = ticket == 0u ? 1u : 0u;
  for (uint k = 0u; k < arg.polls; ++k) {
    if (before != 0u) break;
    before = atomicLoad(arg.to.at[ticket], gl_ScopeDevice, 0, gl_SemanticsRelaxed);
  }
  if (before == 0u || ticket >= arg.n) return;
  atomicStore(arg.to.at[ticket + 1u], ticket + 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
}
)";

struct Arguments {
  uint64_t from, to;
  uint32_t n, limit;
};
struct Kernel {
  const char* source;
  const char* name;
  uint32_t n, limit;  // arguments
  uint32_t groups;
};

// Positive, of many magnitudes, with all bits of the fraction in use.
std::vector<float> pairs() {
  std::vector<float> values;
  uint32_t state = 12345;
  for (uint32_t i = 0; i < 2 * kPairs; ++i) {
    state = state * 1664525u + 1013904223u;
    values.push_back(std::bit_cast<float>(((state >> 9) & 0x7fffffu) | ((118u + i % 19) << 23)));
  }
  return values;
}

// The buffer `results` afterwards, zeros at first.
diag::Result<std::vector<uint32_t>> runKernel(Context& context, const Kernel& kernel,
                                              const std::vector<float>& from,
                                              std::vector<uint32_t> results) {
  vulkan::Stream& stream = *context.stream;
  auto input = context.memory->allocate(from.size() * 4);
  auto output = context.memory->allocate(results.size() * 4);
  auto pipeline = context.pipelines->get(kernel.source, kernel.name);
  if (!input) return diag::Failure(input.error());
  if (!output) return diag::Failure(output.error());
  if (!pipeline) return diag::Failure(pipeline.error());
  uint64_t in = (*input)->deviceAddress(), out = (*output)->deviceAddress();
  uint64_t out_bytes = results.size() * 4;
  Arguments arguments{in, out, kernel.n, kernel.limit};
  vulkan::Access accesses[] = {{in, from.size() * 4, false}, {out, out_bytes, true}};
  uint32_t groups[3] = {kernel.groups, 1, 1};
  auto done = stream.write(in, from.data(), from.size() * 4);
  if (done) done = stream.write(out, results.data(), out_bytes);
  if (done) {
    done = stream.launch(*pipeline, groups, std::as_bytes(std::span(&arguments, 1)), accesses);
  }
  if (done) done = stream.read(out, results.data(), out_bytes);
  if (!done) return diag::Failure(done.error());
  return results;
}

// Whether the device is fit for decoupled look-back: scans in one pass.
diag::Result<bool> mayLookBack(Context& context, const std::vector<float>& from) {
  const vulkan::Features& features = context.device->features();
  if (!features.memory_model || !features.atomics_int64) return false;
  Kernel kernel{kWaitingKernel, "self_test_waiting", kWaiting, kPolls, kWaiting};
  auto posted = runKernel(context, kernel, from, std::vector<uint32_t>(kWaiting + 1, 0));
  if (!posted) return diag::Failure(posted.error());
  for (uint32_t i = 1; i <= kWaiting; ++i) {
    if ((*posted)[i] != i) return false;
  }
  return true;
}

}  // namespace

diag::Result<std::vector<SelfTestRow>> selfTest(Context& context) {
  std::lock_guard lock(context.in_use);
  std::vector<float> from = pairs();
  Kernel kernel{kKernel, "self_test", kPairs, kTrips, kPairs / 64};
  auto results = runKernel(context, kernel, from, std::vector<uint32_t>(kPairs * kOutputs, 0));
  if (!results) return diag::Failure(results.error());
  auto waits = mayLookBack(context, from);
  if (!waits) return diag::Failure(waits.error());
  auto all = [&](uint32_t output, auto expected) {
    for (uint32_t i = 0; i < kPairs; ++i) {
      float a = from[2 * i], b = from[2 * i + 1];
      if ((*results)[kOutputs * i + output] != std::bit_cast<uint32_t>(expected(a, b)))
        return false;
    }
    return true;
  };
  const float kTiny = std::bit_cast<float>(0x00000100u);
  bool subgroups = (*results)[5] == context.device->features().subgroup_size;
  return std::vector<SelfTestRow>{
      {"a / b correctly rounded", all(0, [](float a, float b) { return a / b; })},
      {"sqrt correctly rounded", all(1, [](float a, float) { return std::sqrt(a); })},
      {"a * b + a rounded twice", all(2, [](float a, float b) { return a * b + a; })},
      {"denormals kept", all(3, [&](float a, float) { return a * kTiny; })},
      {"signs of zeros kept", all(4, [](float, float) { return -0.0f; })},
      {"subgroups of the size that is reported", subgroups},
      {"loops of 70,000 trips finished", (*results)[6] == kTrips},
      {"workgroups may wait for earlier ones (decoupled look-back)", *waits},
  };
}

}  // namespace halo::gpu
