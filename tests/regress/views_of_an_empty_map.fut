-- What a map or loop without iterations does not check is not done in front of it: parts of arrays,
-- other sizes, windows, arrays of sizes without another check.
-- ==
-- entry: part
-- input { empty([0]i64) [1i64, 2i64] 100000000000i64 } output { empty([0]i64) }
-- input { [5i64] [1i64, 2i64] 2i64 } output { [8i64] }
entry part [n] [m] (xs: [n]i64) (ws: [m]i64) (a: i64) : [n]i64 =
  map (\x -> x + i64.sum ws[:a]) xs

-- ==
-- entry: other_size
-- input { empty([0]i64) [1i64, 2i64] 1000000000000i64 } output { empty([0]i64) }
-- input { [5i64] [1i64, 2i64] 2i64 } output { [8i64] }
entry other_size [n] [m] (xs: [n]i64) (ws: [m]i64) (a: i64) : [n]i64 =
  map (\x -> x + i64.sum (ws :> [a]i64)) xs

-- ==
-- entry: windows
-- input { empty([0]i64) [1i64, 2i64] 1000000000000i64 } output { empty([0]i64) }
-- input { [5i64] [1i64, 2i64, 4i64] 1i64 } output { [14i64] }
entry windows [n] [m] (xs: [n]i64) (ws: [m]i64) (a: i64) : [n]i64 =
  map (\x -> x + i64.sum (map (\w -> w[0] + w[1]) (slide_1d 2 a ws))) xs

-- ==
-- entry: loops
-- input { [1i64, 2i64] 1000000000000i64 0i64 } output { 0i64 }
-- input { [1i64, 2i64] 1i64 3i64 } output { 6i64 }
entry loops [m] (ws: [m]i64) (a: i64) (k: i64) : i64 =
  loop s = 0 for i < k do s + i64.sum ws[:a] + i

-- ==
-- entry: sizes
-- input { empty([0]i64) -5i64 } output { empty([0]i64) }
-- input { empty([0]i64) 1000000000000i64 } output { empty([0]i64) }
-- input { [5i64] 4i64 } output { [11i64] }
entry sizes [n] (xs: [n]i64) (a: i64) : [n]i64 =
  map (\x -> x + last (scan (+) 0 (iota a))) xs
