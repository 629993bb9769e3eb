-- Failures inside of derivatives are those of the function, at the same places, in both modes.

def both [n] (f: [n]f64 -> f64) (xs: [n]f64) (reverse: bool) : f64 =
  if reverse then f64.sum (vjp f xs 1) else jvp f xs xs

-- ==
-- entry: index
-- input { [1.0, 2.0] 2i64 true } error: ad_failures.fut:[0-9]+:36
-- input { [1.0, 2.0] 2i64 false } error: index `\[2]` is out of range for an array of shape `\[2]`.*H7001
-- input { [1.0, 2.0] 1i64 true } output { 4.0 }
entry index [n] (xs: [n]f64) (k: i64) (reverse: bool) : f64 =
  both (\ys -> f64.sum (map (\i -> ys[i] * ys[i]) [k, k]) / 2) xs reverse

-- ==
-- entry: slice
-- input { [1.0, 2.0] 3i64 true } error: .*H7002
-- input { [1.0, 2.0] 3i64 false } error: .*H7002
-- input { [1.0, 2.0] 2i64 true } output { 2.0 }
entry slice [n] (xs: [n]f64) (k: i64) (reverse: bool) : f64 = both (\ys -> f64.sum ys[0:k]) xs reverse

-- ==
-- entry: quotient
-- input { [1.0, 2.0] 0i64 true } error: division by zero
-- input { [1.0, 2.0] 0i64 false } error: division by zero
-- input { [1.0, 2.0] 1i64 true } output { 4.0 }
entry quotient [n] (xs: [n]f64) (k: i64) (reverse: bool) : f64 =
  both (\ys -> f64.sum (map (* f64.i64 (n / k)) ys)) xs reverse

-- The later of two loops' steps; a failure that the derivative alone would not need.
-- ==
-- entry: unneeded
-- input { [1.0, 2.0] 3i64 true } error: index `\[2]` is out of range
-- input { [1.0, 2.0] 3i64 false } error: index `\[2]` is out of range
-- input { [1.0, 2.0] 2i64 true } output { 2.0 }
entry unneeded [n] (xs: [n]f64) (k: i64) (reverse: bool) : f64 =
  both (\ys -> f64.sum ys + (loop s = 0 for i < k do s + f64.floor ys[i])) xs reverse

-- ==
-- entry: sizes
-- input { [1.0, 2.0] 3i64 true } error: .*H700
-- input { [1.0, 2.0] 3i64 false } error: .*H700
-- input { [1.0, 2.0] 2i64 true } output { 2.0 }
entry sizes [n] (xs: [n]f64) (k: i64) (reverse: bool) : f64 =
  both (\ys -> f64.sum (map2 (*) ys (replicate k 1 :> [n]f64))) xs reverse

-- ==
-- entry: checked
-- input { [1.0, -2.0] true } error: assertion is false.*H7007
-- input { [1.0, -2.0] false } error: assertion is false.*H7007
-- input { [1.0, 2.0] true } output { 1.5 }
entry checked [n] (xs: [n]f64) (reverse: bool) : f64 =
  both (\ys -> f64.sum (map (\y -> assert (y > 0) (f64.log y)) ys)) xs reverse

-- ==
-- entry: negative
-- input { [1.0, 2.0] -1i64 true } error: .*H7005
-- input { [1.0, 2.0] -1i64 false } error: .*H7005
entry negative [n] (xs: [n]f64) (k: i64) (reverse: bool) : f64 =
  both (\ys -> f64.sum (replicate k ys[0])) xs reverse
