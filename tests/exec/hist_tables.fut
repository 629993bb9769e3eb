-- Histograms of few bins by any operators: rows, tuples, several at a time, maps that check and branch.

def hash (i: i64) : i32 = i32.u32 ((u32.i64 i * 2654435761) >> 12)

-- Rows of numbers, and how many of them: centres of clusters. Whole numbers, so that sums are exact.
-- ==
-- entry: centres
-- input { 0i64 5i64 34i64 } output { true }
-- input { 1i64 1i64 1i64 } output { true }
-- input { 3000i64 5i64 34i64 } output { true }
-- input { 20000i64 3i64 2i64 } output { true }
-- input { 500i64 4i64 300i64 } output { true }
-- input { 300i64 0i64 7i64 } output { true }
-- input { 300i64 7i64 0i64 } output { true }
entry centres (n: i64) (k: i64) (d: i64) : bool =
  let points = tabulate_2d n d (\i j -> f32.i32 (hash (i * d + j) % 16))
  let of i = i64.i32 (hash i) % (k + 1) -- k itself is outside
  let counts = hist (+) 0 k (map of (iota n)) (replicate n 1i32)
  let sums = hist (map2 (+)) (replicate d 0) k (map of (iota n)) points
  let count b = i32.sum (map (\i -> i32.bool (of i == b)) (iota n))
  let sum b j = f32.sum (map (\i -> if of i == b then f32.i32 (hash (i * d + j) % 16) else 0) (iota n))
  in and (map (\b -> counts[b] == count b) (iota k))
     && and (flatten (tabulate_2d k d (\b j -> sums[b, j] == sum b j)))

-- Tuples of rows by an operator that mixes them; the destination has values before.
-- ==
-- entry: extrema
-- input { 4000i64 3i64 10i64 } output { true }
-- input { 1i64 3i64 10i64 } output { true }
entry extrema (n: i64) (k: i64) (d: i64) : bool =
  let op (a: i32, i: i64) (b: i32, j: i64) = if a > b || (a == b && i < j) then (a, i) else (b, j)
  let ops [m] (x: [m](i32, i64)) (y: [m](i32, i64)) = map2 op x y
  let value i j = hash (i * d + j) % 1000
  let rows = map (\i -> map (\j -> (value i j, i)) (iota d)) (iota n)
  let of i = i64.i32 (hash (i + 7)) % k
  let start = replicate k (replicate d (17i32, -1i64))
  let found = reduce_by_index start ops (replicate d (-1, 1000000)) (map of (iota n)) rows
  let one b j = reduce op (17, -1) (map (\i -> if of i == b then (value i j, i) else (-1, 1000000)) (iota n))
  in and (flatten (tabulate_2d k d (\b j -> found[b, j] == one b j)))

-- A tuple of numbers from a map with a gather, its check and a branch.
-- ==
-- entry: gathered
-- input { 5000i64 5000i64 } output { true }
-- input { 5000i64 4999i64 } error: H7001
entry gathered (n: i64) (m: i64) : bool =
  let table = map (\i -> hash i % 100) (iota m)
  let op (a, b, c) (d, e, f) = (a + d, i64.max b e, c || f) : (i64, i64, bool)
  let value i = if hash i % 3 == 0 then i64.i32 table[n - 1 - i] else i
  let is = map (\i -> i64.i32 (hash (i + 1)) % 6 - 1) (iota n)
  let found = hist op (0, -1, false) 4 is (map (\i -> let v = value i in (v, v + 1, v % 97 == 3)) (iota n))
  let plain i = if hash i % 3 == 0 then i64.i32 (hash (n - 1 - i) % 100) else i
  let one b =
    reduce op
           (0, -1, false)
           (map (\i ->
                   if i64.i32 (hash (i + 1)) % 6 - 1 == b
                   then let v = plain i in (v, v + 1, v % 97 == 3)
                   else (0, -1, false))
                (iota n))
  in and (map (\b -> found[b] == one b) (iota 4))

-- Planes of small elements in bins of two dimensions, beside numbers in bins of one.
-- ==
-- entry: planes
-- input { 2000i64 } output { true }
entry planes (n: i64) : bool =
  let value i j l = u8.i32 (hash (i * 12 + j * 4 + l))
  let rows = map (\i -> tabulate_2d 3 4 (\j l -> value i j l)) (iota n)
  let is = map (\i -> (i64.i32 (hash i) % 2, i64.i32 (hash (i + 5)) % 3)) (iota n)
  let found =
    reduce_by_index_2d (replicate 2 (replicate 3 (replicate 3 (replicate 4 1u8))))
                       (map2 (map2 (+)))
                       (replicate 3 (replicate 4 0))
                       is
                       rows
  let counts = hist (+) 0i16 2 (map (.0) is) (map (\i -> i16.i64 i) (iota n))
  let one b c j l = 1 + reduce (+) 0u8 (map2 (\i (x, y) -> if x == b && y == c then value i j l else 0) (iota n) is)
  let all_of = tabulate_2d 2 3 (\b c -> and (flatten (tabulate_2d 3 4 (\j l -> found[b, c, j, l] == one b c j l))))
  let count b = reduce (+) 0i16 (map2 (\i (x, _) -> if x == b then i16.i64 i else 0) (iota n) is)
  in and (flatten all_of) && and (map (\b -> counts[b] == count b) (iota 2))

-- Rows of whole numbers in more bins than a workgroup has room for, some of them outside.
-- ==
-- entry: wide
-- input { 60i64 40i64 1000i64 } output { true }
-- input { 0i64 40i64 1000i64 } output { true }
-- input { 700i64 3i64 5i64 } output { true }
-- input { 10i64 3i64 0i64 } output { true }
entry wide (n: i64) (k: i64) (d: i64) : bool =
  let value i j = hash (i * d + j) % 1000 - 500
  let of i = i64.i32 (hash (i + 3)) % (k + 2) - 1
  let is = map of (iota n)
  let rows = tabulate_2d n d value
  let sums = reduce_by_index (replicate k (replicate d 7)) (map2 (+)) (replicate d 0) is rows
  let tops = reduce_by_index (replicate k (replicate d (-400))) (map2 i32.max) (replicate d i32.lowest) is rows
  let one b j = 7 + i32.sum (map (\i -> if of i == b then value i j else 0) (iota n))
  let top b j = i32.max (-400) (i32.maximum (map (\i -> if of i == b then value i j else i32.lowest) (iota n)))
  in and (flatten (tabulate_2d k d (\b j -> sums[b, j] == one b j && tops[b, j] == top b j)))
