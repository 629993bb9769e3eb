-- Scans and reductions whose operators combine short rows.
def product [n] (a: [n][n]i32) (b: [n][n]i32) : [n][n]i32 =
  map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose b)) a

-- Fibonacci numbers by powers of a matrix.
-- ==
-- entry: fibonacci
-- input { 1i64 } output { [1i32] }
-- input { 10i64 } output { [1i32, 1, 2, 3, 5, 8, 13, 21, 34, 55] }
-- input { 0i64 } output { empty([0]i32) }
entry fibonacci (n: i64) =
  map (\m -> m[0, 1]) (scan product [[1, 0], [0, 1]] (replicate n [[1, 1], [1, 0]]))

-- An automaton of four states.
-- ==
-- entry: states
-- input { 5000i64 }
-- input { 33i64 }
entry states (n: i64) =
  let step (c: i64): [4]i8 =
    if c == 0 then [1, 2, 3, 0] else if c == 1 then [0, 0, 2, 2] else [0, 1, 2, 3]
  let compose (f: [4]i8) (g: [4]i8): [4]i8 = map (\x -> g[i64.i8 x]) f
  in scan compose [0, 1, 2, 3] (map (\i -> step ((i * i + i / 7) % 5)) (iota n))

-- A row beside a number, and rows of each cell.
-- ==
-- entry: cells
-- input { 7i64 40i64 }
-- input { 0i64 3i64 }
entry cells (n: i64) (m: i64) =
  let op (a: [2]i32, k: i64) (b: [2]i32, l: i64) =
    ([a[0] * b[0] % 1000, (a[1] * b[0] + b[1]) % 1000], k + l)
  in map (\i ->
            let (r, k) = reduce op ([1, 0], 0) (map (\j -> ([i32.i64 (i + j) % 7, 3], j)) (iota m))
            in i64.i32 (r[0] * 3 + r[1]) + k)
         (iota n)

-- The operator fails at an index.
-- ==
-- entry: fails
-- input { 100i64 } error: index
entry fails (n: i64) =
  scan (\f g -> map (\x -> g[x]) f) [0i64, 1] (map (\i -> if i == 60 then [1, 2] else [1, 0]) (iota n))
