// Whether a sanitizer is compiled in. It has an allocator of its own, and tracks every byte.
#pragma once

namespace halo::base {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kIsAddressSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kIsAddressSanitized = __has_feature(address_sanitizer);
#else
inline constexpr bool kIsAddressSanitized = false;
#endif

#if defined(__SANITIZE_THREAD__)
inline constexpr bool kIsThreadSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kIsThreadSanitized = __has_feature(thread_sanitizer);
#else
inline constexpr bool kIsThreadSanitized = false;
#endif

}  // namespace halo::base
