// The name that an update along a path (`x with a[i].b = e`) gives `x` while it is rewritten; no
// program can write it.
#pragma once

namespace halo::types {

inline constexpr const char* kPathTarget = "$target";

}  // namespace halo::types
