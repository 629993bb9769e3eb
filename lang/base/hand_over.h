// For ThreadSanitizer: data passed from one thread to another inside of a library whose code is not
// instrumented, such as libtbb, which orders the two. Nothing in other builds.
#pragma once

#ifdef HALO_SANITIZE_THREADS
extern "C" void __tsan_acquire(void* place);
extern "C" void __tsan_release(void* place);
#endif

namespace halo::base {

// Everything before it happens before the `takeOver` of the same place.
inline void handOver([[maybe_unused]] void* place) {
#ifdef HALO_SANITIZE_THREADS
  __tsan_release(place);
#endif
}

inline void takeOver([[maybe_unused]] void* place) {
#ifdef HALO_SANITIZE_THREADS
  __tsan_acquire(place);
#endif
}

}  // namespace halo::base
