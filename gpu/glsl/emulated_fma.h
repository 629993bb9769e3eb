// `x * y + z` rounded once, in GLSL, for devices whose own `fma` may round twice: lavapipe's is a
// product and a sum.
#pragma once

#include <string_view>

namespace halo::gpu {

// `float halo_fma(float, float, float)`. In f64 the product is exact. The sum is rounded to odd, so
// that a second rounding to f32 is harmless. [Boldo, Melquiond 2008: Emulation of a FMA and
// correctly-rounded sums, IEEE Trans. Comp. 57(4)].
std::string_view fmaOfF32();

// `double halo_fma(double, double, double)`, in integers, as `fma_finite_f32` of
// stdlib/math_f32_exact.fut.
std::string_view fmaOfF64();

}  // namespace halo::gpu
