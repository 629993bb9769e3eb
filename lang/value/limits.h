// How large arrays can be.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace halo::value {

// No array and no axis has more elements, whatever they are: so bytes, and results computed from
// sizes, fit an i64. More is the failure size_overflow, on every engine.
inline constexpr int64_t kMaxElements = (int64_t{1} << 60) - 1;

// The product of extents that are not negative; nothing if it, or one of them, is above the limit.
std::optional<int64_t> elementCount(std::span<const int64_t> shape);

// Bytes of so many elements; nothing beyond the address space, which has 32 bits in WebAssembly.
std::optional<size_t> byteCount(int64_t elements, size_t element_bytes);

// `out of memory: needs 12 bytes`, also of bytes that no size_t counts.
std::string needsText(uint64_t bytes);

}  // namespace halo::value
