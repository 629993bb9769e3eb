-- Bins that no element has are not combined, nor elements without a bin: the operator may fail
-- there. The GPU engine divided by zero.
-- ==
-- entry: one pairs rows tuples matrix
-- input { [5i64, -1i64] [1i32, 2i32] 0i32 } output { [0i32, 0i32, 0i32] }
-- input { empty([0]i64) empty([0]i32) 0i32 } output { [0i32, 0i32, 0i32] }
-- input { [5i64, 2i64, 2i64] [1i32, 2i32, 3i32] 4i32 } output { [0i32, 0i32, 1i32] }
def add (m: i32) (a: i32) (b: i32) : i32 = (a + b) % m
entry one [n] (is: [n]i64) (vs: [n]i32) (m: i32) = hist (add m) 0 3 is vs

entry pairs [n] (is: [n]i64) (vs: [n]i32) (m: i32) =
  hist (\(a, c) (b, d) -> (add m a b, c || d)) (0, false) 3 is (map (\v -> (v, v > 0)) vs)
  |> map (.0)

entry rows [n] (is: [n]i64) (vs: [n]i32) (m: i32) =
  hist (map2 (add m)) [0, 0] 3 is (map (\v -> [v, 1]) vs) |> map (.[0])

entry tuples [n] (is: [n]i64) (vs: [n]i32) (m: i32) =
  hist (\(a, c) (b, d) -> (map2 (add m) a b, c + d)) ([0, 0], 0) 3 is (map (\v -> ([v, 1], v)) vs)
  |> map (\(r, _) -> r[0])

entry matrix [n] (is: [n]i64) (vs: [n]i32) (m: i32) =
  let product a b = map (\r -> map (\c -> i32.sum (map2 (*) r c) % m) (transpose b)) a
  in hist product [[1, 0], [0, 1]] 3 is (map (\v -> [[1, v], [0, 1]]) vs) |> map (.[0, 1])

-- ==
-- entry: long
-- input { 100000i64 3i64 0i32 } output { 0i32 }
-- input { 100000i64 70000i64 0i32 } output { 0i32 }
-- input { 100000i64 70000i64 7i32 } output { 4i32 }
entry long (n: i64) (k: i64) (m: i32) : i32 =
  let is = map (\i -> if m == 0 then -1 - i else i) (iota n)
  in hist (add m) 0 k is (replicate n 4) |> last

-- ==
-- entry: table
-- input { [7i64, 1i64, 1i64] [9i64, 1i64, 2i64] } output { [0i64, 0i64, 0i64] }
-- input { [7i64, 1i64, 1i64] [9i64, 1i64, 5i64] } error: H7001
entry table [n] (is: [n]i64) (vs: [n]i64) : [3]i64 =
  let t = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
  in hist (\a b -> t[a, b]) 0 3 is vs
