-- Powers, roots and logarithms on f64. As in `math_f64.fut`: only operations that all engines
-- round alike. The accuracy of each function is in tests/math/README.md.

-- | A logarithm outside of its finite positive arguments, else `y`.
def log_cases_f64 (x: f64) (y: f64) : f64 =
  let infinity = f64.from_bits 0x7ff0000000000000u64
  in if x < infinity
     then (if x > 0f64
           then y
           else if x == 0f64
           then -infinity
           else f64.from_bits 0x7ff8000000000000u64)
     else x

-- | The logarithm to base 2; exact for powers of 2.
def log2_f64 (x: f64) : f64 =
  let (n, f) = log_split_f64 x
  let (a, al) =
    pair_product_f64 (log1_pair_f64 (f, 0f64))
                     (1.4426950408889634f64, 2.0355273740931033e-17f64)
  let (s, e) = fast_sum_f64 n a
  in log_cases_f64 x (s + (e + al))

-- | The logarithm to base 10.
def log10_f64 (x: f64) : f64 =
  let (n, f) = log_split_f64 x
  let (a, al) =
    pair_product_f64 (log1_pair_f64 (f, 0f64))
                     (0.4342944819032518f64, 1.098319650216765e-17f64)
  let (s, e) = fast_sum_f64 (n * 0.3010299956640665f64) a
  in log_cases_f64 x (s + (e + (al + n * -8.532344317057107e-14f64)))

-- | `log (1 + x)`, precise for small `x`.
def log1p_f64 (x: f64) : f64 =
  let infinity = f64.from_bits 0x7ff0000000000000u64
  let (h, l) = log_pair_f64 (two_sum_f64 1f64 (if x < infinity then x else 1f64))
  let y = log_cases_f64 (if x == -1f64 then 0f64 else 1f64 + x) (h + l)
  in if f64.abs x < 3.725290298461914e-9f64 then x - 0.5f64 * x * x else y

-- | Whether a finite number is an odd integer.
def is_odd_f64 (y: f64) : bool =
  let half = 0.5f64 * y
  in f64.floor y == y && f64.floor half != half

-- | `a^y` for finite `a > 0`: `exp (y log a)` on pairs. A `y` beyond 1.1805916207174113e21f64
-- gives the result
-- of that bound.
def pow_positive_f64 (a: f64) (y: f64) : f64 =
  let z =
    if y > 1.1805916207174113e21f64
    then 1.1805916207174113e21f64
    else if y < -1.1805916207174113e21f64 then -1.1805916207174113e21f64 else y
  let (h, l) = pair_product_f64 (z, 0f64) (log_pair_of_f64 a)
  let h1 = if h > 710f64 then 710f64 else if h < -746f64 then -746f64 else h
  let (k, r, rl) = exp_pair_f64 (h1, if h1 == h then l else 0f64)
  in scale_f64 k (r + rl)

-- | `x` to the power `y`, with the special cases of C; but where one operation has it.
def pow_any_f64 (x: f64) (y: f64) : f64 =
  let infinity = f64.from_bits 0x7ff0000000000000u64
  let nan = f64.from_bits 0x7ff8000000000000u64
  let a = f64.abs x
  let b = f64.abs y
  let ordinary = a > 0f64 && a < infinity && b < infinity
  let m = pow_positive_f64 (if ordinary then a else 1f64) (if ordinary then y else 1f64)
  let at_end =
    if a == 0f64 || a == infinity
    then (if (a == 0f64) == (y < 0f64) then infinity else 0f64)
    else if a == 1f64
    then 1f64
    else if (a > 1f64) == (y > 0f64)
    then infinity
    else 0f64
  let size = if ordinary then m else at_end
  let negative = f64.to_bits x >> 63u64 != 0u64
  let r = if negative && b < infinity && is_odd_f64 y then -size else size
  in if y == 0f64 || x == 1f64
     then 1f64
     else if f64.isnan x || f64.isnan y
     then nan
     else if x < 0f64 && a < infinity && b < infinity && f64.floor y != y
     then nan
     else r

-- | `x` to the power `y`, with the special cases of C. The meaning of `**`. Where one operation rounds
-- the result correctly it is taken: a known exponent leaves nothing else.
def pow_f64 (x: f64) (y: f64) : f64 =
  if y == 2f64
  then x * x
  else if y == 1f64
  then x
  else if y == 0f64
  then 1f64
  else if y == -1f64
  then 1f64 / x
  else if y == 0.5f64
  then (let infinity = f64.from_bits 0x7ff0000000000000u64
        -- the root of -0 is -0
        in if x == -infinity then infinity else f64.sqrt (x + 0f64))
  else pow_any_f64 x y

-- | The cube root. `x = m 8^j` with `1 <= m < 8`; iterations of third order for `1 / cbrt m` need
-- no division, and the last correction is worked out on a pair.
def cbrt_f64 (x: f64) : f64 =
  let a = f64.abs x
  let ordinary = a > 0f64 && a < f64.from_bits 0x7ff0000000000000u64
  let tiny = a < 2.2250738585072014e-308f64
  let bits = f64.to_bits (if ordinary then (if tiny then a * 18014398509481984f64 else a) else 1f64)
  let e = i32.u64 (bits >> 52u64) - (if tiny then 3i32 else -51i32)
  -- e is not negative; 43691 / 2^17 is a third for its values
  let j = (e * 43691i32) >> 17i32
  let m =
    f64.from_bits ((bits & 0x000fffffffffffffu64)
                   | (u64.i32 (e - 3i32 * j + 1023i32)
                      << 52u64))
  let y0 =
    (1.2370203368863566f64
     - m
       * (0.297208500692804f64
          - m
            * (0.04589488807739336f64
               - m * 0.0025489184871195043f64)))
  let refine y =
    let h = 1f64 - m * y * y * y
    in y + y * h * (0.3333333333333333f64 + h * 0.2222222222222222f64)
  let y = refine (refine y0)
  let c = m * y * y
  let (s, sl) = two_product_f64 c c
  let (p, pl) = two_product_f64 s c
  let r = c + (((m - p) - pl) - sl * c) * (y * y * 0.3333333333333333f64)
  let scaled = r * pow2_f64 (j - 358i32)
  in if ordinary
     then f64.from_bits (f64.to_bits scaled
                         | (f64.to_bits x & 0x8000000000000000u64))
     else x

-- | One divided by the square root, with the errors of both operations put right.
def rsqrt_f64 (x: f64) : f64 =
  let ordinary = x > 0f64 && x < f64.from_bits 0x7ff0000000000000u64
  let tiny = x < 7.458340731200207e-155f64
  let a = if ordinary then (if tiny then x * 1.3407807929942597e154f64 else x) else 1f64
  let s = f64.sqrt a
  let r = 1f64 / s
  let (p, pl) = two_product_f64 s s
  let (q, ql) = two_product_f64 s r
  let y = r + r * (((1f64 - q) - ql) - 0.5f64 * r * r * ((a - p) - pl))
  in if ordinary then (if tiny then y * 1.157920892373162e77f64 else y) else 1f64 / f64.sqrt x

-- | `sqrt (x^2 + y^2)` without overflow on the way.
def hypot_f64 (x: f64) (y: f64) : f64 =
  let infinity = f64.from_bits 0x7ff0000000000000u64
  let ax = f64.abs x
  let ay = f64.abs y
  let a = if ax > ay then ax else ay
  let b = if ax > ay then ay else ax
  let up =
    if a > 3.273390607896142e150f64
    then 2.778448436856347e-163f64
    else if a < 3.4395525670743494e-136f64 then 4.149515568880993e180f64 else 1f64
  let down =
    if a > 3.273390607896142e150f64
    then 3.599131035634557e162f64
    else if a < 3.4395525670743494e-136f64 then 2.409919865102884e-181f64 else 1f64
  let (p, pl) = two_product_f64 (a * up) (a * up)
  let (q, ql) = two_product_f64 (b * up) (b * up)
  let (s, sl) = fast_sum_f64 p q
  let (h, l) = pair_sqrt_f64 (s, sl + (pl + ql))
  in if ax == infinity || ay == infinity
     then infinity
     else if f64.isnan x || f64.isnan y
     then x + y
     else if b == 0f64
     then a
     else (h + l) * down
