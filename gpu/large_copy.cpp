// Four vectors of 16 bytes for each invocation, at a stride of a workgroup. Groups are folded to
// two dimensions, as devices allow 65535 of them in each.
#include "gpu/large_copy.h"

#include <algorithm>
#include <span>

namespace halo::gpu {

namespace {

constexpr uint64_t kLarge = uint64_t{1} << 22;  // below, a launch costs its gain
constexpr uint64_t kVector = 16;
constexpr uint64_t kOfGroup = 1024;  // vectors
constexpr uint64_t kMaxAcross = 32768;

constexpr char kCopyKernel[] = R"(#version 460
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 256) in;
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer Vectors { uvec4 at[]; };
layout(push_constant, scalar) uniform Arguments { Vectors to; Vectors from; uint count; } arg;
void main() {
  uint group = gl_WorkGroupID.y * 32768u + gl_WorkGroupID.x;
  uint first = group * 1024u + gl_LocalInvocationID.x;
  if (first + 768u < arg.count) {
    uvec4 a = arg.from.at[first], b = arg.from.at[first + 256u];
    uvec4 c = arg.from.at[first + 512u], d = arg.from.at[first + 768u];
    arg.to.at[first] = a;
    arg.to.at[first + 256u] = b;
    arg.to.at[first + 512u] = c;
    arg.to.at[first + 768u] = d;
  } else {
    uint end = min(group * 1024u + 1024u, arg.count);
    for (uint i = first; i < end; i += 256u) arg.to.at[i] = arg.from.at[i];
  }
}
)";
struct CopyArguments {
  uint64_t to, from;
  uint32_t count;
};

}  // namespace

bool isLargeCopy(uint64_t to, uint64_t from, uint64_t bytes) {
  return bytes >= kLarge && bytes / kVector < (uint64_t{1} << 31) && (to | from) % kVector == 0;
}

diag::Result<std::monostate> copyByKernel(Context& context, uint64_t to, uint64_t from,
                                          uint64_t bytes) {
  auto pipeline = context.pipelines->get(kCopyKernel, "copy");
  if (!pipeline) return diag::Failure(pipeline.error());
  const uint64_t count = bytes / kVector;
  const uint64_t done_bytes = count * kVector;
  const uint64_t groups = (count + kOfGroup - 1) / kOfGroup;
  const uint64_t rows = (groups + kMaxAcross - 1) / kMaxAcross;
  const uint32_t grid[3] = {static_cast<uint32_t>(std::min(groups, kMaxAcross)),
                            static_cast<uint32_t>(rows), 1};
  CopyArguments arguments{to, from, static_cast<uint32_t>(count)};
  vulkan::Access accesses[] = {{from, done_bytes, false}, {to, done_bytes, true}};
  auto done = context.stream->launch(*pipeline, grid, std::as_bytes(std::span(&arguments, 1)),
                                     accesses, "copy");
  if (!done || done_bytes == bytes) return done;
  return context.stream->copy(to + done_bytes, from + done_bytes, bytes - done_bytes);
}

}  // namespace halo::gpu
