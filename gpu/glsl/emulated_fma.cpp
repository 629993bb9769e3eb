#include "gpu/glsl/emulated_fma.h"

namespace halo::gpu {

std::string_view fmaOfF32() {
  return R"(float halo_fma(float x, float y, float z) {
  precise double p = double(x) * double(y);
  precise double c = double(z);
  precise double s = p + c;
  precise double t = s - p;
  precise double lost = (p - (s - t)) + (c - t);
  uvec2 bits = unpackDouble2x32(s);
  if ((lost > 0.0lf || lost < 0.0lf) && (bits.x & 1u) == 0u) {
    if ((lost > 0.0lf) == (s > 0.0lf)) bits.x += 1u;
    else { bits.y -= bits.x == 0u ? 1u : 0u; bits.x -= 1u; }
  }
  return float(packDouble2x32(bits));
}
)";
}

std::string_view fmaOfF64() {
  return R"(int halo_clz(uint64_t x) {
  uvec2 halves = unpackUint2x32(x);
  return halves.y != 0u ? 31 - findMSB(halves.y) : 63 - findMSB(halves.x);
}
uint64_t halo_high_product(uint64_t a, uint64_t b) {
  uint64_t al = a & 0xfffffffful, ah = a >> 32, bl = b & 0xfffffffful, bh = b >> 32;
  uint64_t m = ah * bl + ((al * bl) >> 32);
  uint64_t n = al * bh + (m & 0xfffffffful);
  return ah * bh + (m >> 32) + (n >> 32);
}
struct HaloParts { uint64_t m; int e; };  // m 2^(e - 1075), m of 53 bits
HaloParts halo_parts(double x) {
  uint64_t bits = doubleBitsToUint64(x) & 0x7ffffffffffffffful;
  int e = int(bits >> 52);
  uint64_t m = bits & 0xffffffffffffful;
  if (e != 0) return HaloParts(m | 0x10000000000000ul, e);
  int up = halo_clz(m) - 11;
  return HaloParts(m << up, 1 - up);
}
struct HaloWide { uint64_t h, l; };
// The lowest bit says whether a bit that was lost is one.
HaloWide halo_shift_sticky(HaloWide w, int s) {
  if (s <= 0) return w;
  if (s > 127) return HaloWide(0ul, (w.h | w.l) == 0ul ? 0ul : 1ul);
  uint64_t lost = 0ul;
  if (s >= 64) { lost = w.l; w = HaloWide(0ul, w.h); s -= 64; }
  if (s > 0) {
    lost |= w.l << (64 - s);
    w = HaloWide(w.h >> s, (w.l >> s) | (w.h << (64 - s)));
  }
  return HaloWide(w.h, w.l | (lost == 0ul ? 0ul : 1ul));
}
double halo_round_join(HaloWide w, int e) {
  int zeros = w.h == 0ul ? 64 + halo_clz(w.l) : halo_clz(w.h);
  int unit = max(e + 75 - zeros, -1074);
  int s = unit - e;
  uint64_t kept = halo_shift_sticky(w, s - 2).l << (s < 2 ? 2 - s : 0);
  uint64_t low = kept & 3ul, whole = kept >> 2;
  if (low > 2ul || (low == 2ul && (whole & 1ul) == 1ul)) whole += 1ul;
  if (unit > 971) return uint64BitsToDouble(0x7ff0000000000000ul);
  // whole has 54 bits at most: its carry raises the exponent as it should
  if (whole < 0x10000000000000ul) return uint64BitsToDouble(whole);
  if (whole == 0x20000000000000ul) { whole >>= 1; unit += 1; }
  if (unit > 971) return uint64BitsToDouble(0x7ff0000000000000ul);
  return uint64BitsToDouble((uint64_t(unit + 1075) << 52) | (whole & 0xffffffffffffful));
}
double halo_fma_finite(double x, double y, double z) {
  HaloParts a = halo_parts(x), b = halo_parts(y), c = halo_parts(z);
  uint64_t a1 = a.m << 10, b1 = b.m << 10;
  HaloWide p = HaloWide(halo_high_product(a1, b1), a1 * b1);
  HaloWide q = HaloWide(z == 0.0lf ? 0ul : c.m << 8, 0ul);
  int ep = a.e + b.e - 2170, eq = z == 0.0lf ? ep : c.e - 1147, e = max(ep, eq);
  p = halo_shift_sticky(p, e - ep);
  q = halo_shift_sticky(q, e - eq);
  bool p_minus = int(unpackDouble2x32(x).y ^ unpackDouble2x32(y).y) < 0;
  bool z_minus = int(unpackDouble2x32(z).y) < 0;
  bool less = p.h < q.h || (p.h == q.h && p.l < q.l);
  HaloWide r;
  if (p_minus == z_minus) {
    r.l = p.l + q.l;
    r.h = p.h + q.h + (r.l < p.l ? 1ul : 0ul);
  } else {
    HaloWide f = less ? q : p, g = less ? p : q;
    r = HaloWide(f.h - g.h - (f.l < g.l ? 1ul : 0ul), f.l - g.l);
  }
  if ((r.h | r.l) == 0ul) return 0.0lf;
  double size = halo_round_join(r, e);
  return (p_minus == z_minus || !less ? p_minus : z_minus) ? -size : size;
}
double halo_fma(double x, double y, double z) {
  double infinity = uint64BitsToDouble(0x7ff0000000000000ul);
  bool is_finite = abs(x) < infinity && abs(y) < infinity;
  if (is_finite && abs(z) == infinity) return z;
  if (!is_finite || !(abs(z) < infinity) || x == 0.0lf || y == 0.0lf) {
    precise double p = x * y;
    precise double s = p + z;
    return s;
  }
  return halo_fma_finite(x, y, z);
}
)";
}

}  // namespace halo::gpu
