// One small kernel over pairs of floats, compared with the host, which rounds correctly.
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
  if (i == 0u) { for (uint k = 0u; k < arg.trips; k++) trips += arg.to.at[7] + 1u; }
  arg.to.at[8u * i] = floatBitsToUint(quotient);
  arg.to.at[8u * i + 1u] = floatBitsToUint(root);
  arg.to.at[8u * i + 2u] = floatBitsToUint(sum);
  arg.to.at[8u * i + 3u] = floatBitsToUint(tiny);
  arg.to.at[8u * i + 4u] = floatBitsToUint(zero);
  arg.to.at[8u * i + 5u] = gl_SubgroupSize;
  arg.to.at[8u * i + 6u] = trips;
}
)";
struct Arguments {
  uint64_t from, to;
  uint32_t n, trips;
};

// Positive, of many magnitudes, with all bits of the fraction in use.
std::vector<float> pairs() {
  std::vector<float> values;
  uint32_t state = 12345;
  for (uint32_t i = 0; i < 2 * kPairs; i++) {
    state = state * 1664525u + 1013904223u;
    values.push_back(std::bit_cast<float>(((state >> 9) & 0x7fffffu) | ((118u + i % 19) << 23)));
  }
  return values;
}

diag::Result<std::vector<uint32_t>> runKernel(Context& context, const std::vector<float>& from) {
  vulkan::Stream& stream = *context.stream;
  std::vector<uint32_t> results(kPairs * kOutputs, 0);
  auto input = context.memory->allocate(from.size() * 4);
  auto output = context.memory->allocate(results.size() * 4);
  auto pipeline = context.pipelines->get(kKernel, "self_test");
  if (!input) return diag::Failure(input.error());
  if (!output) return diag::Failure(output.error());
  if (!pipeline) return diag::Failure(pipeline.error());
  uint64_t in = (*input)->deviceAddress(), out = (*output)->deviceAddress();
  uint64_t out_bytes = results.size() * 4;
  Arguments arguments{in, out, kPairs, kTrips};
  vulkan::Access accesses[] = {{in, from.size() * 4, false}, {out, out_bytes, true}};
  uint32_t groups[3] = {kPairs / 64, 1, 1};
  auto done = stream.write(in, from.data(), from.size() * 4);
  if (done) done = stream.write(out, results.data(), out_bytes);
  if (done) {
    done = stream.launch(*pipeline, groups, std::as_bytes(std::span(&arguments, 1)), accesses);
  }
  if (done) done = stream.read(out, results.data(), out_bytes);
  if (!done) return diag::Failure(done.error());
  return results;
}

}  // namespace

diag::Result<std::vector<SelfTestRow>> selfTest(Context& context) {
  std::lock_guard lock(context.in_use);
  std::vector<float> from = pairs();
  auto results = runKernel(context, from);
  if (!results) return diag::Failure(results.error());
  auto all = [&](uint32_t output, auto expected) {
    for (uint32_t i = 0; i < kPairs; i++) {
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
  };
}

}  // namespace halo::gpu
