-- Maps over elements of one and two bytes, around the borders of vectors.
def total [n] (xs: [n]i64) : i64 = i64.sum (map2 (\i x -> (i % 7 + 1) * x) (iota n) xs)

-- ==
-- entry: bytes
-- input { 1i64 }
-- input { 15i64 }
-- input { 16i64 }
-- input { 17i64 }
-- input { 4097i64 }
entry bytes (n: i64) : (i64, i64) =
  let xs = map i8.i64 (iota n)
  let ys = map (\x -> x * 3 - 1) xs
  let zs = map2 (\x y -> u8.i8 (x ^ y)) xs ys
  in (total (map i64.i8 ys), total (map i64.u8 zs))

-- ==
-- entry: mixed
-- input { 15i64 }
-- input { 1000i64 }
entry mixed (n: i64) : (i64, i64, i64) =
  let xs = map u8.i64 (iota n)
  let ws = map (\x -> i32.u8 x * 1000 - 77) xs
  let bs = map2 (\x w -> x % 3 == 0 && w > 0) xs ws
  let hs = map2 (\x b -> if b then i16.u8 x * 129 else -1) xs bs
  in (total (map i64.i32 ws), total (map i64.bool bs), total (map i64.i16 hs))

-- ==
-- entry: halves
-- input { 9i64 }
-- input { 3001i64 }
entry halves (n: i64) : i64 =
  let xs = map (\i -> f16.i64 (i % 100) * 0.5) (iota n)
  let ys = map (\x -> x * x + 1) xs
  in total (map (\y -> i64.f16 (y * 4)) ys)

-- ==
-- entry: shifted
-- input { 100i64 }
entry shifted (n: i64) : i64 =
  let xs = map i8.i64 (iota n)
  in total (map i64.i8 (map2 (+) xs[1:] xs[:n - 1] :> [n - 1]i8))
