-- Elements that differ from their neighbour are counted and kept by two kernels, which compare them
-- themselves: no flags go through memory. The numbers of peaks likewise, where the comparison itself
-- is the flag and a neighbour is ahead.
-- ==
-- input { [3i32, 3i32, 1i32, 1i32, 1i32, 3i32] } output { [3i32, 1i32, 3i32] empty([0]i64) }
-- input { [1i32, 3i32, 2i32] } output { [1i32, 3i32, 2i32] [1i64] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i64) }
def main [n] (xs: [n]i32) : ([]i32, []i64) =
  let is_peak i = i > 0 && i + 1 < n && xs[i - 1] < xs[i] && xs[i] > xs[i + 1]
  in (unique (==) xs, filter is_peak (iota n))
