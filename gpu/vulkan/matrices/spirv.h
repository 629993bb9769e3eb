// SPIR-V as words: a header, then instructions. Source: SPIR-V specification, section 2.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace halo::gpu::vulkan {

inline constexpr size_t kSpirvHeader = 5;

// `visit(operation, words)`, the instruction's first word included. Ends at a malformed one.
template <typename Module, typename Visit>
void forEachInstruction(Module& code, const Visit& visit) {
  for (size_t at = kSpirvHeader; at < code.size();) {
    const size_t words = code[at] >> 16;
    if (words == 0 || words > code.size() - at) return;
    visit(code[at] & 0xffff, std::span(&code[at], words));
    at += words;
  }
}

}  // namespace halo::gpu::vulkan
