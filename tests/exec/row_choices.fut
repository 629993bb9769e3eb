-- Rows that branches of cells pick, read element by element; rows at places that a reduction finds.
-- ==
-- entry: pivots
-- input { [[0f32, 2f32], [4f32, 2f32]] } output { [[1f32, 0f32], [0f32, 1f32]] }

def step [n] [m] (xss: [n][m]f32) (k: i64) : [n][m]f32 =
  let largest (i, a) (j, b) = if a > b || (a == b && i < j) then (i, a) else (j, b)
  let (p, _) =
    reduce_comm largest (0, 0) (map (\i -> if i >= k then (i, f32.abs xss[i, k % m]) else (0, 0)) (iota n))
  let pivot = map (/ xss[p, k % m]) xss[p]
  in tabulate n (\i ->
                   if i == k
                   then pivot
                   else let row = if i == p then xss[k] else xss[i]
                        in map2 (\x y -> x - row[k % m] * y) row pivot)

entry pivots [n] (xss: [n][n]f32) : [n][n]f32 = loop xss for k < n do step xss k

-- ==
-- entry: inverse
-- input { 3i64 } output { true }
-- input { 40i64 } output { true }

-- | A matrix beside the unit matrix becomes the unit matrix beside the inverse.
entry inverse (n: i64) : bool =
  let xss = tabulate_2d n n (\i j -> f32.i64 ((i * 37 + j * 91 + i * j) % 17) + if (i + 1) % n == j then 40 else 0)
  let both = map2 (\i row -> row ++ tabulate n (\j -> if i == j then 1 else 0) :> [n + n]f32) (iota n) xss
  let done = loop both for k < n do step both k
  let product = map (\row -> map (\k -> f32.sum (map2 (\x y -> x * y[n + k]) row done)) (iota n)) xss
  in and (map2 (\i row -> and (map2 (\j x -> f32.abs (x - if i == j then 1 else 0) < 0.001) (iota n) row)) (iota n) product)

-- ==
-- entry: nested
-- input { [1i64, 0i64, 2i64, 5i64] [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] [7i32, 8i32, 9i32] }
-- output { [8i32, 18i32, 32i32, 32i32] }

-- | A choice of choices; the sum of a row beside one of its elements.
entry nested [n] [k] [m] (is: [n]i64) (xss: [k][m]i32) (ys: [m]i32) : [n]i32 =
  map (\i ->
         let row = if i < k then (if i == 0 then xss[1] else xss[0]) else ys
         in i32.sum row + row[i64.i32 (row[0] % 3)] + (if i == 0 then -2 else 0))
      is

-- ==
-- entry: kept
-- input { [true, false] [[1i32, 2i32], [3i32, 4i32]] [5i32, 6i32] }
-- output { [[5i32, 6i32], [3i32, 4i32]] [11i32, 7i32] }

-- | The row itself is wanted as well.
entry kept [n] [m] (bs: [n]bool) (xss: [n][m]i32) (ys: [m]i32) : ([n][m]i32, [n]i32) =
  unzip (map2 (\b xs -> let row = if b then ys else xs in (row, i32.sum row)) bs xss)

-- ==
-- entry: fittest
-- input { 5i64 20i64 4i32 } output { 0.0f32 }

-- | The best row replaces the first in each step.
entry fittest (n: i64) (m: i64) (steps: i32) : f32 =
  let start = tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * 3) % 11))
  let last =
    loop rows = start
    for s < steps do
      let costs = map (reduce (+) 0) rows
      let best = reduce (\a b -> if costs[a] <= costs[b] then a else b) 0 (iota n)
      let rows = map (map (\x -> (x * 3 + 1) % 13)) rows
      in copy rows with [0] = map (+ f32.i32 s) rows[best]
  in f32.minimum (map f32.minimum last)

-- ==
-- entry: outside
-- input { [3i64, 1i64] [[1i32], [2i32]] }
-- error: `\[3.`.*H7001
-- input { [0i64, 1i64] [[1i32], [2i32]] } output { [2i32] 4i64 }

-- | A place that only the device knows, and that may be outside.
entry outside [n] [m] (is: [2]i64) (xss: [n][m]i32) : ([m]i32, i64) =
  let p = i64.maximum is
  let row = copy xss[p]
  let q = i64.sum (map (\i -> i * 2) is) + i64.i32 xss[p, 0]
  in (row, q)

-- ==
-- entry: rounds
-- input { [3i32, 1i32, 2i32, 1i32] 3i64 } output { [1i64, 3i64, 2i64] [1i32, 1i32, 2i32] [3i32, 9i32, 9i32, 9i32] 14i32 }

-- | Several updates in a round, at places that only the device knows; a scalar goes along.
entry rounds [n] (xs: [n]i32) (k: i64) : ([k]i64, [k]i32, [n]i32, i32) =
  loop (is, found, left, total) = (replicate k 0, replicate k 0, copy xs, 0)
  for r < k do
    let smaller (x, i) (y, j) = if y < x || (x == y && j < i) then (y, j) else (x, i)
    let (x, i) = reduce_comm smaller (i32.highest, i64.highest) (zip left (iota n))
    let next = left[(i + 1) % n]
    in (is with [r] = i, found with [r] = x, left with [i] = 9, total + next)
