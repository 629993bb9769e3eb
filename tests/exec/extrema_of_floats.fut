-- min and max of floats that only the device sees: NaN loses, -0 is before 0.
-- ==
-- entry: all_pairs
-- input { [0f32, -0f32, 1f32, -1f32, f32.inf, -f32.inf, f32.nan, 1e-45f32, -1e-45f32, 3e38f32] }

-- ==
-- entry: sums_of_both
-- input { [0f32, -0f32, 1f32, -1f32, f32.inf, -f32.inf, f32.nan, 1e-45f32, -1e-45f32, 3e38f32] }
entry all_pairs [n] (xs: [n]f32) : ([n][n]u32, [n][n]u32) =
  let bits x = if f32.isnan x then 0xffffffffu32 else f32.to_bits x
  in unzip (map (\x -> unzip (map (\y -> (bits (f32.max x y), bits (f32.min x y))) xs)) xs)

-- Running extrema, and those of everything before.
entry sums_of_both [n] (xs: [n]f32) : ([n]u32, u32, u32) =
  let bits x = if f32.isnan x then 0xffffffffu32 else f32.to_bits x
  in (map bits (scan f32.max (-0f32) xs), bits (reduce f32.max f32.nan xs), bits (reduce f32.min f32.nan xs))

-- Products of matrices with max for the sum.
-- ==
-- entry: max_plus
-- input { 7i64 9i64 33i64 }
-- input { 300i64 300i64 40i64 }
entry max_plus (n: i64) (m: i64) (k: i64) : [n][m]f32 =
  let a = tabulate_2d n k (\i j -> f32.i64 ((i * 7 + j * 3) % 16) - 8)
  let b = tabulate_2d m k (\i j -> f32.i64 ((i * 5 + j * 11) % 32) / -4)
  in map (\r -> map (\c -> f32.maximum (map2 (+) r c)) b) a
