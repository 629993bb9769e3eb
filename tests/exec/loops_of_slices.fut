-- Loops whose steps make arrays of their own sizes: blocks, triangles, halves, and what is left of
-- a filter.

-- ==
-- entry: blocks
-- input { 7i64 3i64 } output { [0i64, 1i64, 5i64, 9i64, 25i64, 50i64, 36i64] }
-- input { 7i64 100i64 } output { [0i64, 1i64, 5i64, 14i64, 30i64, 55i64, 91i64] }
-- input { 0i64 3i64 } output { empty([0]i64) }

entry blocks (n: i64) (c: i64) =
  loop sums = replicate n 0i64
  for b < (n + c - 1) / c do
    let first = b * c
    let last = i64.min n (first + c)
    let part = map (\i -> (first + i) ** 2) (iota (last - first))
    in sums with [first:last] = scan (+) 0 part

-- ==
-- entry: triangle
-- input { 5i64 } output { [16i64, 11i64, 7i64, 4i64, 2i64] }

entry triangle (n: i64) =
  loop s = replicate n 1i64
  for k < n do
    let row = tabulate (n - k) (\i -> i + 1)
    in map2 (\x i -> x + if i < n - k then row[n - k - 1 - i] else 0) s (iota n)

-- ==
-- entry: halves
-- input { 10i64 } output { 45i64 1i64 }
-- input { 1i64 } output { 0i64 1i64 }

entry halves (n: i64) =
  let (xs, k) =
    loop (xs, k) = (iota n, n)
    while k > 1 do
      let h = (k + 1) / 2
      let sums = map2 (\i x -> if i + h < k then x + xs[i + h] else x) (iota h) xs[:h]
      in (xs with [:h] = sums, h)
  in (xs[0], k)

-- ==
-- entry: filtered
-- input { 10i64 4i64 } output { [5i64, 8i64, 11i64, 1i64, 4i64, 7i64, 10i64, 0i64, 3i64, 6i64] 831i64 }

entry filtered (n: i64) (steps: i64) =
  loop (xs, total) = (iota n, 0)
  for k < steps do
    let some = filter (\x -> (x + k) % 3 == 0) xs
    let squares = map (\x -> x * x + length some) some
    in (map (\x -> (x * 3 + k) % 13) xs, total + i64.sum squares)

-- Two unknown extents: what is left of a matrix.
-- ==
-- entry: eliminated
-- input { [[2.0, 1.0, 1.0], [4.0, 3.0, 3.0], [8.0, 7.0, 9.0]] }
-- output { [[2.0, 1.0, 1.0], [2.0, 1.0, 1.0], [4.0, 3.0, 2.0]] }

entry eliminated [n] (a: [n][n]f64) =
  loop a = copy a
  for k < n - 1 do
    let factors = map (/ a[k, k]) a[k + 1:, k]
    let row = a[k, k + 1:]
    let rest = map2 (\f r -> map2 (\x y -> x - f * y) r row) factors a[k + 1:, k + 1:]
    let a = a with [k + 1:, k] = factors
    in a with [k + 1:, k + 1:] = rest

-- The index is an extent.
-- ==
-- entry: before
-- input { 6i64 } output { [1i64, 1i64, 2i64, 4i64, 8i64, 16i64] }

entry before (n: i64) =
  loop xs = replicate n 1i64
  for k < n do
    xs with [k] = i64.max 1 (i64.sum xs[:k])

-- Sizes below zero.
-- ==
-- entry: negative
-- input { 3i64 3i64 } output { [4i64, 4i64, 4i64] }
-- input { 3i64 1i64 } error: array size `-1` is negative

entry negative (n: i64) (m: i64) =
  loop s = replicate n 0i64
  for k < n do
    map (+ i64.sum (iota (m - k))) s

-- A sequential loop inside of each step: the longest common subsequence.
-- ==
-- entry: common
-- input { [1i32, 2i32, 3i32, 2i32, 4i32] [2i32, 4i32, 3i32, 2i32] } output { [0i32, 1i32, 2i32, 2i32, 3i32] }
-- input { [1i32] empty([0]i32) } output { [0i32] }

entry common [n] [m] (xs: [n]i32) (ys: [m]i32) : [m + 1]i32 =
  loop row = replicate (m + 1) 0i32
  for i < n do
    loop next = replicate (m + 1) 0i32
    for j < m do
      let best = i32.max row[j + 1] next[j]
      in next with [j + 1] = if xs[i] == ys[j] then row[j] + 1 else best
