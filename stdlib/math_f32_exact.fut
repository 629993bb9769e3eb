-- Functions on f32 that are exact but for one rounding: they work on the bits.

-- | The magnitude of the first number with the sign of the second.
def copysign_f32 (x: f32) (y: f32): f32 =
  f32.from_bits ((f32.to_bits x & 0x7fffffffu32) | (f32.to_bits y & 0x80000000u32))

-- | The next number after `x` in the direction of `y`.
def nextafter_f32 (x: f32) (y: f32): f32 =
  let bits = f32.to_bits x
  let up = (x < y) == (x > 0f32)
  in if f32.isnan x || f32.isnan y then x + y
     else if x == y then y
     else if x == 0f32 then f32.from_bits ((f32.to_bits y & 0x80000000u32) | 1u32)
     else f32.from_bits (if up then bits + 1u32 else bits - 1u32)

-- | `x * 2^n`, rounded once. The last of three factors is the only one that rounds: below the
-- normal
-- range the others leave room for all bits.
def ldexp_f32 (x: f32) (n: i32): f32 =
  let n1 = if n > 280i32 then 280i32 else if n < -280i32 then -280i32 else n
  let step = if n1 > 0i32 then 127i32 else -102i32
  let bound = if n1 > 0i32 then 127i32 else 126i32
  let n2 = if i32.abs n1 > bound then n1 - step else n1
  let n3 = if i32.abs n2 > bound then n2 - step else n2
  let y1 = if n2 != n1 then x * pow2_f32 step else x
  let y2 = if n3 != n2 then y1 * pow2_f32 step else y1
  in y2 * pow2_f32 n3

-- | `x * y + z`, rounded once; in the module `f16` the name `f32` is a conversion.
def fma_f32 (x: f32) (y: f32) (z: f32): f32 = f32.fma x y z
