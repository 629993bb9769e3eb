-- Products in large tiles: lines that vectors begin in, and others; edges of tiles and what is left of
-- lines. `--variant=products:1` makes them so.
def data (n: i64) (m: i64) : [n][m]i32 = tabulate_2d n m (\i j -> i32.i64 ((i * 31 + j * 17) % 23) - 11)

-- Row i, column j of a product, one by one.
def cell [n] [m] [k] (a: [n][k]i32) (b: [k][m]i32) (i: i64) (j: i64) : i32 =
  loop s = 0 for l < k do s + a[i, l] * b[l, j]

def agrees [n] [m] (c: [n][m]i32) (expected: i64 -> i64 -> i32) : bool =
  let check = \i j -> c[i, j] == expected i j
  in all (\i -> all (\j -> check i j) [0, m / 2, m - 1]) [0, n / 3, n / 2, n - 1]
     && all (\j -> check (n - 1) j) (iota m)
     && all (\i -> check i (m - 1)) (iota n)

-- ==
-- entry: square
-- input { 257i64 129i64 64i64 } output { true }
-- input { 260i64 132i64 20i64 } output { true }
-- input { 3i64 5i64 7i64 } output { true }
-- input { 1i64 1i64 1i64 } output { true }
-- input { 300i64 258i64 33i64 } output { true }
entry square (n: i64) (m: i64) (k: i64) : bool =
  let a = data n k
  let b = data k m
  let c = map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose b)) a
  in agrees c (cell a b)

-- Rows against rows, and columns against columns.
-- ==
-- entry: turned
-- input { 70i64 136i64 12i64 } output { true true }
-- input { 71i64 135i64 13i64 } output { true true }
entry turned (n: i64) (m: i64) (k: i64) : (bool, bool) =
  let a = data n k
  let b = data m k
  let c = map (\r -> map (\c -> i32.sum (map2 (*) r c)) b) a
  let d = map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose (copy (transpose b)))) (transpose (copy (transpose a)))
  in (agrees c (cell a (transpose b)), agrees d (cell a (transpose b)))

-- A batch, one side of which all products share, and a batch of both.
-- ==
-- entry: batches
-- input { 3i64 40i64 52i64 21i64 } output { true true }
-- input { 2i64 41i64 50i64 24i64 } output { true true }
entry batches (l: i64) (n: i64) (m: i64) (k: i64) : (bool, bool) =
  let as = tabulate l (\h -> map (map (+ i32.i64 h)) (data n k))
  let b = data k m
  let cs = map (\a -> map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose b)) a) as
  let bs = map (\a -> map (map (* 2)) (transpose a)) as
  let ds = map2 (\a b -> map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose b)) a) as bs
  in ( all (\h -> agrees cs[h] (cell as[h] b)) (iota l)
     , all (\h -> agrees ds[h] (cell as[h] bs[h])) (iota l)
     )

-- Part of an array.
-- ==
-- entry: part
-- input { 40i64 52i64 21i64 } output { true }
-- input { 41i64 49i64 24i64 } output { true }
entry part (n: i64) (m: i64) (k: i64) : bool =
  let a = data n k
  let b = data k (m + 3)
  let inner = b[:, 1:m + 1] :> [k][m]i32
  in agrees (map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose inner)) a) (\i j -> cell a b i (j + 1))
