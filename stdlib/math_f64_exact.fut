-- Functions on f64 that are exact but for one rounding: they work on the bits.

-- | The magnitude of the first number with the sign of the second.
def copysign_f64 (x: f64) (y: f64) : f64 =
  f64.from_bits ((f64.to_bits x & 0x7fffffffffffffffu64) | (f64.to_bits y & 0x8000000000000000u64))

-- | The next number after `x` in the direction of `y`.
def nextafter_f64 (x: f64) (y: f64) : f64 =
  let bits = f64.to_bits x
  let up = (x < y) == (x > 0f64)
  in if f64.isnan x || f64.isnan y
     then x + y
     else if x == y
     then y
     else if x == 0f64
     then f64.from_bits ((f64.to_bits y & 0x8000000000000000u64) | 1u64)
     else f64.from_bits (if up then bits + 1u64 else bits - 1u64)

-- | `x * 2^n`, rounded once. The last of three factors is the only one that rounds: below the
-- normal
-- range the others leave room for all bits.
def ldexp_f64 (x: f64) (n: i32) : f64 =
  let n1 = if n > 2100i32 then 2100i32 else if n < -2100i32 then -2100i32 else n
  let step = if n1 > 0i32 then 1023i32 else -969i32
  let bound = if n1 > 0i32 then 1023i32 else 1022i32
  let n2 = if i32.abs n1 > bound then n1 - step else n1
  let n3 = if i32.abs n2 > bound then n2 - step else n2
  let y1 = if n2 != n1 then x * pow2_f64 step else x
  let y2 = if n3 != n2 then y1 * pow2_f64 step else y1
  in y2 * pow2_f64 n3
