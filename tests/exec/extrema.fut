-- Maxima and minima of sums: a NaN loses, -0 is below +0; memory may hold signalling NaNs.
-- ==
-- entry: products
-- input { 9i64 33i64 100i64 }
-- output { true }
entry products (n: i64) (k: i64) (m: i64) : bool =
  let special (i: i64): f32 =
    if i % 11 == 3
    then f32.nan
    else if i % 11 == 5
    then -0.0
    else if i % 11 == 7
    then 0
    else if i % 11 == 8 then f32.from_bits 0x7f800001u32 else -f32.i64 (i % 11)
  let a = tabulate_2d n k (\i l -> special (i * 3 + l))
  let b = tabulate_2d k m (\l j -> special (l + 2 * j))
  let most = map (\row -> map (\column -> f32.maximum (map2 (+) row column)) (transpose b)) a
  let least = map (\row -> map (\column -> f32.minimum (map2 (*) row column)) (transpose b)) a
  let first_most (i: i64) (j: i64): f32 =
    loop best = -f32.inf
    for l < k do
      let x = a[i, l] + b[l, j]
      in if f32.isnan x || x < best
         then best
         else if x == best then f32.from_bits (f32.to_bits x & f32.to_bits best) else x
  let first_least (i: i64) (j: i64): f32 =
    loop best = f32.inf
    for l < k do
      let x = a[i, l] * b[l, j]
      in if f32.isnan x || x > best
         then best
         else if x == best then f32.from_bits (f32.to_bits x | f32.to_bits best) else x
  in and (flatten (tabulate_2d n m (\i j ->
                                      f32.to_bits most[i, j] == f32.to_bits (first_most i j)
                                      && f32.to_bits least[i, j] == f32.to_bits (first_least i j))))

-- ==
-- entry: in_memory
-- input { 100i64 }
-- output { 99f32 }
entry in_memory (n: i64) : f32 =
  f32.maximum (tabulate n (\i -> if i == 99 then 99 else f32.from_bits 0x7f800001u32))
