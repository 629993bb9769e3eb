-- The nearest of k rows for each of n: distances are stored, their places are not.
-- ==
-- input { [[0f32, 0f32], [9f32, 9f32]] [[1f32, 0f32], [8f32, 8f32], [5f32, 5f32]] }
-- output { [0i64, 1i64, 1i64] }
def main [n] [k] [d] (rows: [k][d]f32) (points: [n][d]f32) : [n]i64 =
  let less (a, i) (b, j) = if b < a || (a == b && j < i) then (b, j) else (a, i)
  let distance p c = f32.sum (map2 (\x y -> (x - y) * (x - y)) p c)
  in map (\p -> (reduce_comm less (f32.inf, -1) (zip (map (distance p) rows) (iota k))).1) points
