// The floating-point state of a thread that calls the library. Programs mean the same whatever the
// caller has set: libraries built with -ffast-math flush denormal numbers to zero. The caller finds
// its state as it was.
#pragma once

#include <cfenv>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace halo::api {

class DefaultFloatEnvironment {
 public:
#ifdef __SSE__
  // The x87 unit is not used; <cfenv> would save it, which takes as long as a small call.
  DefaultFloatEnvironment() : before_(_mm_getcsr()) {
    constexpr unsigned kFlags = 0x3f, kDefault = 0x1f80;
    if ((before_ & ~kFlags) != kDefault) _mm_setcsr(kDefault);
  }
  ~DefaultFloatEnvironment() {
    if (_mm_getcsr() != before_) _mm_setcsr(before_);
  }

 private:
  unsigned before_;
#else
  DefaultFloatEnvironment() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatEnvironment() { std::fesetenv(&before_); }

 private:
  std::fenv_t before_;
#endif
 public:
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;
};

}  // namespace halo::api
