-- Extrema of many floats: a NaN loses, -0 < +0, wherever they stand.
-- tolerance: exact
-- ==
-- input { 5000i64 }
-- output { 0u32 2147483648u32 2147483648u32 0u32 1065353216u32 3212836864u32 4286578688u32 9218868437227405312u64 9223372036854775808u64 }
entry main (n: i64) =
  let bits = f32.to_bits
  let zeros = tabulate n (\i -> if i == 1234 then 0f32 else -0f32)
  let all_minus = tabulate n (\i -> if i % 7 == 0 then -0f32 else -1f32)
  let nans = tabulate n (\i -> if i == 77 then 1f32 else if i % 3 == 0 then -1f32 else f32.nan)
  let wide = tabulate n (\i -> if i == 4001 then -0f64 else if i % 5 == 0 then 0 else f64.nan)
  in ( bits (f32.maximum zeros)
     , bits (f32.minimum zeros)
     , bits (f32.maximum all_minus)
     , bits (f32.minimum (map f32.neg all_minus))
     , bits (f32.maximum nans)
     , bits (f32.minimum nans)
     , bits (f32.maximum (map (const f32.nan) nans))
     , f64.to_bits (f64.minimum (replicate n f64.nan))
     , f64.to_bits (f64.minimum wide)
     )
