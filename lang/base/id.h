// Typed 32-bit ids: IR nodes hold these instead of pointers. An id is an index into a store of the
// program that owns it; ids number in creation order, so every dump is deterministic.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace halo::base {

template <typename Tag>
struct Id {
  static constexpr uint32_t kNone = 0xffffffffu;
  uint32_t index = kNone;

  constexpr Id() = default;
  constexpr explicit Id(size_t i) : index(static_cast<uint32_t>(i)) {}
  constexpr bool valid() const { return index != kNone; }
  constexpr explicit operator bool() const { return valid(); }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

}  // namespace halo::base

template <typename Tag>
struct std::hash<halo::base::Id<Tag>> {
  size_t operator()(halo::base::Id<Tag> id) const noexcept { return id.index; }
};
