-- Loops whose arrays are changed by maps: in place where each element is read before it is written
-- and by no other statement, and only where it changes. Else with another array, with the same result.
-- tolerance: exact
-- ==
-- entry: elements
-- input { [1i64, 2i64, 3i64] 4i64 }
-- output { [31i64, 47i64, 63i64] [1i64, 2i64, 3i64] }
-- input { empty([0]i64) 4i64 }
-- output { empty([0]i64) empty([0]i64) }
entry elements [n] (xs: [n]i64) (k: i64) = (loop ys = xs for i < k do map (\y -> 2 * y + 1) ys, xs)

-- ==
-- entry: neighbours
-- input { [1i64, 2i64, 3i64, 4i64] 3i64 }
-- output { [20i64, 24i64, 20i64, 16i64] }
entry neighbours [n] (xs: [n]i64) (k: i64) =
  loop ys = xs for _i < k do map2 (\i y -> y + ys[(i + 1) % n]) (iota n) ys

-- A row that all others need is copied first.
-- ==
-- entry: rows
-- input { [[4f64, 2f64, 1f64], [2f64, 5f64, 3f64], [1f64, 3f64, 6f64]] }
-- output { [[4f64, 2f64, 1f64], [0.5f64, 4f64, 2.5f64], [0.25f64, 0.625f64, 4.1875f64]] }
entry rows [n] (a: [n][n]f64) =
  loop a for k < n do
    let column = map (\i -> if i > k then a[i, k] / a[k, k] else 0) (iota n)
    let row = copy a[k]
    in map2 (\i r ->
               map3 (\j x y ->
                       if i <= k || j < k
                       then x
                       else if j == k then column[i] else x - column[i] * y)
                    (iota n)
                    r
                    row)
            (iota n)
            a

-- The row itself, and a sum over it, are read before it changes.
-- ==
-- entry: sums_of_rows
-- input { [[1i64, 2i64], [3i64, 4i64]] 2i64 }
-- output { [[22i64, 26i64], [54i64, 58i64]] }
entry sums_of_rows [n] [m] (a: [n][m]i64) (k: i64) =
  loop a for _i < k do
    map (\r -> let s = i64.sum r in map (\x -> 2 * x + s) r) a

-- Rows turned round read what was written: another array.
-- ==
-- entry: turned
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]] 3i64 }
-- output { [[6i64, 5i64, 4i64], [9i64, 8i64, 7i64]] }
entry turned [n] [m] (a: [n][m]i64) (k: i64) =
  loop a for _i < k do map (\r -> map (+ 1) (reverse r)) a

-- ==
-- entry: kept
-- input { 70i64 3i64 9i64 }
-- output { [0i64, 1i64, 2i64, 103i64, 104i64, 105i64, 106i64, 107i64, 108i64] true }
-- input { 5i64 -4i64 9i64 }
-- output { [100i64, 101i64, 102i64, 103i64, 104i64] true }
-- input { 5i64 9223372036854775807i64 -9223372036854775807i64 }
-- output { [0i64, 1i64, 2i64, 3i64, 4i64] true }
-- input { 0i64 0i64 0i64 }
-- output { empty([0]i64) true }
entry kept (n: i64) (a: i64) (b: i64) =
  let less =
    loop xs = iota n
    for _k < 1 do
      map2 (\i x -> if i < a || !(i <= b - 1) then x else x + 100) (iota n) xs
  let turned =
    loop xs = iota n
    for _k < 1 do
      map2 (\i x -> if a <= i && b > i then x + 100 else x) (iota n) xs
  let split =
    loop xs = iota n
    for _k < 1 do
      map2 (\i x -> if a > i then x else if i >= b then x else x + 100) (iota n) xs
  let plain = map (\i -> if i < a || i > b - 1 then i else i + 100) (iota n)
  in ( take (i64.min n 9) plain
     , and (map (\i -> plain[i] == less[i] && plain[i] == turned[i] && plain[i] == split[i]) (iota n))
     )

-- What may fail runs in every iteration.
-- ==
-- entry: kept_fails
-- input { [4i64, 0i64, 2i64] 2i64 }
-- error: H7003
-- input { [4i64, 1i64, 2i64] 2i64 }
-- output { [4i64, 1i64, 52i64] }
entry kept_fails [n] (ds: [n]i64) (a: i64) =
  loop xs = ds
  for _k < 1 do
    map3 (\i x d -> let q = 100 / d in if i < a then x else x + q) (iota n) xs ds

-- ==
-- entry: triangle
-- input { 5i64 }
-- output { [[0i64, 1i64, 2i64, 3i64, 4i64], [5i64, 7i64, 7i64, 8i64, 9i64], [10i64, 12i64, 14i64, 13i64, 14i64],
--           [15i64, 17i64, 19i64, 21i64, 19i64], [20i64, 22i64, 24i64, 26i64, 28i64]] }
entry triangle (n: i64) =
  loop a = unflatten (iota (n * n))
  for k < n do
    map2 (\i r -> map2 (\j x -> if j > i || j < k || k == 0 then x else x + 1) (iota n) r) (iota n) a

-- Two arrays at once, one of them handed on.
-- ==
-- entry: waves
-- input { [1i64, 2i64] [3i64, 5i64] 4i64 }
-- output { [17i64, 29i64] [41i64, 70i64] }
entry waves [n] (us: [n]i64) (vs: [n]i64) (k: i64) =
  loop (us, vs) for _i < k - 1 do (vs, map2 (\u v -> u + 2 * v) us vs)

-- Memory behind its last use takes the next array.
-- ==
-- entry: chain
-- input { [3i64, 1i64, 2i64] }
-- output { [6i64, 8i64, 12i64] [4i64, 5i64, 7i64] 3i64 }
entry chain [n] (xs: [n]i64) =
  let sums = scan (+) 0 xs
  let last = sums[0]
  let more = map (+ 1) sums
  let twice = map (\x -> 2 * x - 2) (scan i64.max 0 more)
  in (twice, more, last)

-- Small vectors in the cells of a map.
-- ==
-- entry: vectors
-- input { [1f32, 2f32] 3i64 }
-- output { [[8f32, 0f32, 1f32], [16f32, 0f32, 2f32]] }
entry vectors [n] (xs: [n]f32) (k: i64) =
  map (\x -> let v = loop v = [x, 0, x / 8] for _i < k do map (* 2) v in [v[0], v[1], v[2]]) xs
