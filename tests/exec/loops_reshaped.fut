-- What a body gives back is made where it is wanted, also in another shape: loops, rows, branches.

def cube (a: i64) (b: i64) (c: i64) : [a][b][c]i32 = tabulate_3d a b c (\i j k -> i32.i64 (i * 100 + j * 10 + k))

-- ==
-- entry: turned turned_twice
-- input { 2i64 3i64 4i64 0i32 }
-- input { 2i64 3i64 4i64 1i32 }
-- input { 3i64 4i64 5i64 3i32 }
-- input { 1i64 0i64 5i64 2i32 }
entry turned (a: i64) (b: i64) (c: i64) (steps: i32) : [a][b][c]i32 =
  loop xs = cube a b c
  for _i < steps do
    unflatten_3d (sized (a * b * c) (flatten_3d (copy (transpose (map transpose xs))))) :> [a][b][c]i32

entry turned_twice (a: i64) (b: i64) (c: i64) (steps: i32) : ([a][b][c]i32, [a * b * c]i32, i32) =
  loop (xs, ys, s) = (cube a b c, flatten_3d (cube a b c), 0)
  for i < steps do
    let zs = flatten_3d (map transpose xs) :> [a * b * c]i32
    let ws = map (+ i) zs
    in (unflatten_3d ws :> [a][b][c]i32, ws, s + i32.sum zs)

-- Changed in place behind the view.
-- ==
-- entry: changed
-- input { 3i64 4i64 3i32 }
entry changed (n: i64) (m: i64) (steps: i32) : [n][m]i32 =
  loop xs = replicate n (replicate m 0)
  for i < steps do
    let line = copy (flatten (transpose xs))
    let line[i64.i32 i + 7] = i
    in unflatten (line :> [n * m]i32)

-- ==
-- entry: of_rows
-- input { 3i64 2i64 3i64 true }
-- input { 3i64 2i64 3i64 false }
entry of_rows (a: i64) (b: i64) (c: i64) (turns: bool) : [a][b * c]i32 =
  map (\xs -> if turns then flatten (transpose xs) :> [b * c]i32 else flatten (map (map (* 2)) xs)) (cube a b c)
