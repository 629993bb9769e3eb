-- Functions on f64 that are exact but for one rounding: they work on the bits.

-- | The magnitude of the first number with the sign of the second.
def copysign_f64 (x: f64) (y: f64): f64 =
  f64.from_bits ((f64.to_bits x & 0x7fffffffffffffffu64) | (f64.to_bits y & 0x8000000000000000u64))

-- | The next number after `x` in the direction of `y`.
def nextafter_f64 (x: f64) (y: f64): f64 =
  let bits = f64.to_bits x
  let up = (x < y) == (x > 0f64)
  in if f64.isnan x || f64.isnan y then x + y
     else if x == y then y
     else if x == 0f64 then f64.from_bits ((f64.to_bits y & 0x8000000000000000u64) | 1u64)
     else f64.from_bits (if up then bits + 1u64 else bits - 1u64)

-- | `x * 2^n`, rounded once. The last of three factors is the only one that rounds: below the
-- normal
-- range the others leave room for all bits.
def ldexp_f64 (x: f64) (n: i32): f64 =
  let n1 = if n > 2100i32 then 2100i32 else if n < -2100i32 then -2100i32 else n
  let step = if n1 > 0i32 then 1023i32 else -969i32
  let bound = if n1 > 0i32 then 1023i32 else 1022i32
  let n2 = if i32.abs n1 > bound then n1 - step else n1
  let n3 = if i32.abs n2 > bound then n2 - step else n2
  let y1 = if n2 != n1 then x * pow2_f64 step else x
  let y2 = if n3 != n2 then y1 * pow2_f64 step else y1
  in y2 * pow2_f64 n3

-- | A 128-bit number, high half first, shifted to the right; the lowest bit says whether a bit that
-- was lost is one.
def shift_sticky_u128 (h: u64, l: u64) (s: i32): (u64, u64) =
  let by = u64.i32 (s & 63i32)
  -- up by 64 - by in two steps, because a shift by 64 is 0
  let up (m: u64): u64 = (m << 1u64) << (63u64 - by)
  let (h1, l1) = if s < 64i32 then (h, l) else (0u64, h)
  let lost = if s < 64i32 then 0u64 else l
  let h2 = h1 >> by
  let l2 = (l1 >> by) | (if by == 0u64 then 0u64 else up h1)
  let lost2 = lost | (if by == 0u64 then 0u64 else up l1)
  in if s <= 0i32 then (h, l)
     else if s > 127i32 then (0u64, if (h | l) == 0u64 then 0u64 else 1u64)
     else (h2, l2 | (if lost2 == 0u64 then 0u64 else 1u64))

-- | `(h, l) 2^e` as a float, rounded to nearest even; a sticky bit may stand in the lowest place.
def round_join_f64 (h: u64, l: u64) (e: i32): f64 =
  let zeros = if h == 0u64 then 64i32 + u64.clz l else u64.clz h
  let wanted = e + 75i32 - zeros
  let unit = if wanted < -1074i32 then -1074i32 else wanted
  let s = unit - e
  let (_, k) = shift_sticky_u128 (h, l) (s - 2i32)
  let kept = k << u64.i32 (if s < 2i32 then 2i32 - s else 0i32)
  let low = kept & 3u64
  let whole = kept >> 2u64
  let odd = whole & 1u64
  let rounded = if low > 2u64 || (low == 2u64 && odd == 1u64) then whole + 1u64 else whole
  let half = unit >> 1i32
  in if unit > 971i32 then f64.from_bits 0x7ff0000000000000u64
     else f64.i64 (i64.u64 rounded) * pow2_f64 half * pow2_f64 (unit - half)

-- | The sum of two 128-bit numbers.
def sum_u128 (ah: u64, al: u64) (bh: u64, bl: u64): (u64, u64) =
  let l = al + bl
  in (ah + bh + (if l < al then 1u64 else 0u64), l)

-- | The difference of two 128-bit numbers.
def difference_u128 (ah: u64, al: u64) (bh: u64, bl: u64): (u64, u64) =
  (ah - bh - (if al < bl then 1u64 else 0u64), al - bl)

-- | `x y + z` for finite numbers, `x` and `y` not 0, in integers: product and `z` as 126-bit
-- significands with a common exponent, of which the smaller one may lose bits that only matter for
-- the direction of rounding.
def fma_finite_f64 (x: f64) (y: f64) (z: f64): f64 =
  let xb = f64.to_bits x
  let yb = f64.to_bits y
  let zb = f64.to_bits z
  let (mx, ex) = fmod_split_f64 (xb & 0x7fffffffffffffffu64)
  let (my, ey) = fmod_split_f64 (yb & 0x7fffffffffffffffu64)
  let z_is_0 = z == 0f64
  let (mz, ez) = fmod_split_f64 (if z_is_0 then 0x0010000000000000u64
                                 else zb & 0x7fffffffffffffffu64)
  let x1 = mx << 10u64
  let y1 = my << 10u64
  let p = (product_high_u64 x1 y1, x1 * y1)
  let ep = ex + ey - 2170i32
  let a = if z_is_0 then 0u64 else mz << 8u64
  let ea = if z_is_0 then ep else ez - 1147i32
  let e = i32.max ep ea
  let p1 = shift_sticky_u128 p (e - ep)
  let a1 = shift_sticky_u128 (a, 0u64) (e - ea)
  let p_negative = ((xb ^ yb) >> 63u64) != 0u64
  let z_negative = (zb >> 63u64) != 0u64
  let alike = p_negative == z_negative
  let p_less = p1.0 < a1.0 || (p1.0 == a1.0 && p1.1 < a1.1)
  let (h, l) = if alike then sum_u128 p1 a1
               else if p_less then difference_u128 a1 p1
               else difference_u128 p1 a1
  let r = round_join_f64 (h, l) e
  in if (h | l) == 0u64 then 0f64
     else if (if alike || !p_less then p_negative else z_negative) then -r
     else r

-- | `x y + z`, rounded once.
def fma_f64 (x: f64) (y: f64) (z: f64): f64 =
  let infinity = f64.from_bits 0x7ff0000000000000u64
  let finite = f64.abs x < infinity && f64.abs y < infinity
  in if finite && f64.abs z == infinity then z
     else if !finite || f64.isnan z || x == 0f64 || y == 0f64 then x * y + z
     else fma_finite_f64 x y z
