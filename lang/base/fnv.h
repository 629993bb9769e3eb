// FNV-1a of 64 bits (Fowler, Noll, Vo): tells accidents from each other, not attacks.
#pragma once

#include <cstdint>
#include <string_view>

namespace halo::base {

constexpr uint64_t fnv1a(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace halo::base
