-- Matrix inversion by elimination.
-- ==
-- input { [[4f32, 7f32],[2f32, 6f32]] }
-- output { [[0.6f32, -0.7f32], [-0.2f32, 0.4f32]] [[1.0f32, 0.0f32], [0.0f32, 1.0f32]] }
def gauss_jordan [n] [m] (A: [n][m]f32) : [n][m]f32 =
  loop A for i < i64.min n m do
    let icol = map (\row -> row[i]) A
    let (j, _) =
      map f32.abs icol |> zip (iota n) |> map (\(j, x) -> if j < i then (j, -1f32) else (j, x))
      |> reduce (\(j, x) (k, y) -> if x >= y then (j, x) else (k, y)) (0, -2)
    let f = 1 / A[j, i]
    let irow = map (* f) A[j]
    in map2 (\k row ->
               if k == i
               then irow
               else let row = if k == j then A[i] else row
                    let f = -row[i] in map2 (\x y -> f * x + y) irow row)
            (iota n)
            A

def inverse [n] (A: [n][n]f32) : [n][n]f32 =
  let ident = tabulate_2d n n (\i j -> f32.bool (i == j))
  let Ap = map2 (++) A ident
  let Ap' = gauss_jordan Ap
  in Ap'[:, n:n * 2] :> [n][n]f32

entry main [n] (A: [n][n]f32) = (inverse A, map (map f32.round) (tabulate_2d n n (\i j -> f32.sum (map2 (*) A[i] (inverse A)[:, j]))))
