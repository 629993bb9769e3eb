-- Functions on f32 that are exact but for one rounding: they work on the bits.

-- | The magnitude of the first number with the sign of the second.
def copysign_f32 (x: f32) (y: f32) : f32 =
  f32.from_bits ((f32.to_bits x & 0x7fffffffu32) | (f32.to_bits y & 0x80000000u32))

-- | The next number after `x` in the direction of `y`.
def nextafter_f32 (x: f32) (y: f32) : f32 =
  let bits = f32.to_bits x
  let up = (x < y) == (x > 0f32)
  in if f32.isnan x || f32.isnan y
     then x + y
     else if x == y
     then y
     else if x == 0f32
     then f32.from_bits ((f32.to_bits y & 0x80000000u32) | 1u32)
     else f32.from_bits (if up then bits + 1u32 else bits - 1u32)

-- | `x * 2^n`, rounded once. The last of three factors is the only one that rounds: below the
-- normal
-- range the others leave room for all bits.
def ldexp_f32 (x: f32) (n: i32) : f32 =
  let n1 = if n > 280i32 then 280i32 else if n < -280i32 then -280i32 else n
  let step = if n1 > 0i32 then 127i32 else -102i32
  let bound = if n1 > 0i32 then 127i32 else 126i32
  let n2 = if i32.abs n1 > bound then n1 - step else n1
  let n3 = if i32.abs n2 > bound then n2 - step else n2
  let y1 = if n2 != n1 then x * pow2_f32 step else x
  let y2 = if n3 != n2 then y1 * pow2_f32 step else y1
  in y2 * pow2_f32 n3

-- | `m >> s`, where the lowest bit says whether a bit that was lost is one.
def shift_sticky_u64 (m: u64) (s: i32) : u64 =
  if s <= 0i32
  then m
  else if s > 63i32
  then (if m == 0u64 then 0u64 else 1u64)
  else (m >> u64.i32 s) | (if m << u64.i32 (64i32 - s) == 0u64 then 0u64 else 1u64)

-- | `m 2^e` as a float, rounded to nearest even; a sticky bit may stand in the lowest place of `m`.
def round_join_f32 (m: u64) (e: i32) : f32 =
  let wanted = e + 40i32 - u64.clz m
  let unit = if wanted < -149i32 then -149i32 else wanted
  let s = unit - e
  let kept = shift_sticky_u64 m (s - 2i32) << u64.i32 (if s < 2i32 then 2i32 - s else 0i32)
  let low = kept & 3u64
  let whole = kept >> 2u64
  let odd = whole & 1u64
  let rounded = if low > 2u64 || (low == 2u64 && odd == 1u64) then whole + 1u64 else whole
  let half = unit >> 1i32
  in if unit > 104i32
     then f32.from_bits 0x7f800000u32
     else f32.i64 (i64.u64 rounded) * pow2_f32 half * pow2_f32 (unit - half)

-- | `x y + z` for finite numbers, `x` and `y` not 0, in integers: product and `z` as 62-bit
-- significands with a common exponent, of which the smaller one may lose bits that only matter for
-- the direction of rounding.
def fma_finite_f32 (x: f32) (y: f32) (z: f32) : f32 =
  let xb = f32.to_bits x
  let yb = f32.to_bits y
  let zb = f32.to_bits z
  let (mx, ex) = fmod_split_f32 (xb & 0x7fffffffu32)
  let (my, ey) = fmod_split_f32 (yb & 0x7fffffffu32)
  let z_is_0 = z == 0f32
  let (mz, ez) = fmod_split_f32 (if z_is_0 then 0x00800000u32 else zb & 0x7fffffffu32)
  let p = (u64.u32 mx * u64.u32 my) << 14u64
  let ep = ex + ey - 314i32
  let a = if z_is_0 then 0u64 else u64.u32 mz << 37u64
  let ea = if z_is_0 then ep else ez - 187i32
  let e = i32.max ep ea
  let p1 = shift_sticky_u64 p (e - ep)
  let a1 = shift_sticky_u64 a (e - ea)
  let p_negative = ((xb ^ yb) >> 31u32) != 0u32
  let z_negative = (zb >> 31u32) != 0u32
  let alike = p_negative == z_negative
  let m = if alike then p1 + a1 else if p1 >= a1 then p1 - a1 else a1 - p1
  let negative = if alike || p1 > a1 then p_negative else z_negative
  let r = round_join_f32 m e
  in if m == 0u64 then 0f32 else if negative then -r else r

-- | `x y + z`, rounded once. The primitive of some devices takes tiny numbers for zero, so those are
-- done in integers.
def fma_f32 (x: f32) (y: f32) (z: f32) : f32 =
  let infinity = f32.from_bits 0x7f800000u32
  let usual v = f32.abs v >= 1.17549435e-38f32
  let r = f32.fma x y z
  let finite = f32.abs x < infinity && f32.abs y < infinity
  in if usual x && usual y && (z == 0f32 || usual z) && usual r
     then r
     else if finite && f32.abs z == infinity
     then z
     else if !finite || f32.isnan z || x == 0f32 || y == 0f32
     then x * y + z
     else fma_finite_f32 x y z
