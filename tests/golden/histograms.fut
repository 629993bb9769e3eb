-- Schedules of histograms: atomic operations, few bins that are known, any operator on scalars, rows.
-- ==
-- input { 2i64 [0i64, 1i64, 1i64] [4i64] [3f32] [1i64, 0i64] [3f32, 4f32] [1i64] [[1i32, 2i32]] }
-- output { [1i32, 2i32] [0f32, 3f32, 0f32] [4f32, 3f32] [[0i32, 0i32], [1i32, 2i32]] }
def main [n] [m] [k] [l]
         (bins: i64)
         (hs: [n]i64)
         (is: [m]i64)
         (xs: [m]f32)
         (js: [k]i64)
         (ys: [k]f32)
         (ks: [l]i64)
         (rows: [l][2]i32) : ([bins]i32, [3]f32, [bins]f32, [bins][2]i32) =
  ( hist (+) 0 bins hs (map (const 1) hs)
  , hist (+) 0 3 (map (% 3) is) xs
  , hist (+) 0 bins js ys
  , hist (map2 (+)) [0, 0] bins ks rows
  )
