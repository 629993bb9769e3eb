-- A row that only an arm reads may lie outside of the tape: a window on it was read in every cell.
def step [r] [n] (t: [r][n]f64) (k: i64) (x: [n]f64) : [n]f64 =
  tabulate n (\i -> if k >= 0 && k < r then t[k, (i + 1) % n] * x[i] * x[i] + t[k, (i - 1) % n] * x[i] else x[i])

-- ==
-- entry: backward forward
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] 1i64 [1f64, 2f64, 3f64] }
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] 1000000000000i64 [1f64, 2f64, 3f64] }
-- output { [1f64, 2f64, 3f64] }
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] -1000000000000i64 [1f64, 2f64, 3f64] }
-- output { [1f64, 2f64, 3f64] }
entry backward [r] [n] (t: [r][n]f64) (k: i64) (x: [n]f64) : [n]f64 = vjp (step t k) x x

entry forward [r] [n] (t: [r][n]f64) (k: i64) (x: [n]f64) : [n]f64 = jvp (step t k) x x

-- Views of rows that no cell reads.
-- ==
-- entry: no_cells
-- input { [[1f64, 2f64, 3f64]] 1000000000000i64 0i64 }
-- output { empty([0][3]f64) }
-- input { [[1f64, 2f64, 3f64]] 0i64 2i64 }
-- output { [[3f64, 5f64, 4f64], [3f64, 5f64, 4f64]] }
entry no_cells [r] [n] (t: [r][n]f64) (k: i64) (m: i64) : [m][n]f64 =
  tabulate_2d m n (\_ j -> #[unsafe] t[k, j] + #[unsafe] t[k, (j + 1) % n])
