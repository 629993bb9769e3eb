-- Numbers that kernels find and the host needs: what checks them stops the host as well, before it
-- divides by one or reads an element outside.
-- ==
-- entry: divisor
-- input { [1i64, 2i64, 3i64, 4i64] } error: division by zero.*H7003
-- input { [1i64, 2i64, 3i64] } output { 2i64 }
-- ==
-- entry: position
-- input { [8i64] } error: index `\[-7]` is out of range.*H7001
-- input { [1i64] } output { 1i64 }
entry divisor (xs: []i64) : i64 =
  let count = length (filter (> 0) xs)
  in count + 7 % (4 - count) - 1

entry position (xs: []i64) : i64 = xs[1 - reduce (+) 0 xs]
