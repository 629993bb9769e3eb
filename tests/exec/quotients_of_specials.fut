-- Zeros keep their sign, NaN and infinities pass, tiny and huge numbers are rounded once: by a
-- divisor that all cells share, by one of each cell, by constants of both signs.
--
-- ==
-- entry: shared own constants
-- input { [0f32, -0f32, f32.nan, f32.inf, -f32.inf, 1e-38f32, -3e-42f32, 2.5e38f32, 7f32, -0.1f32]
--         [3f32, -7f32, 1.9999999f32, 1e-30f32, -0f32, f32.inf, f32.nan, 2e-40f32] }

-- | The bits of a number; NaN are one number.
def bits (x: f32) : u32 = if f32.isnan x then 0x7fc00000 else f32.to_bits x

entry shared [n] [m] (xs: [n]f32) (ds: [m]f32) : [m][n]u32 =
  let by d = map (\x -> (x / d, (x + x) / d)) xs
  in map (\d -> map (\(q, r) -> bits q ^ (bits r >> 1)) (by d)) ds

entry own [n] [m] (xs: [n]f32) (ds: [m]f32) : [m][n]u32 =
  map (\d -> map (\x -> bits (x / (d * 1.5))) xs) ds

entry constants [n] [m] (xs: [n]f32) (_: [m]f32) : [n][4]u32 =
  map (\x -> [bits (x / 7), bits (x / -3), bits (5 / x), bits (x / 1e30)]) xs
