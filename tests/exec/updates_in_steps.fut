-- Steps on a grid that change places of it behind their maps: sources, fixed rows, and places outside.
-- ==
-- entry: source
-- input { [[0f32, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]] 3i64 }
-- output { [[0.0f32, 1.0f32, 1.0f32, 0.0f32], [0.0f32, 2.5f32, 0.5f32, 0.0f32], [0.0f32, 1.0f32, 1.0f32, 0.0f32]] }
-- input { empty([0][4]f32) 0i64 }
-- output { empty([0][4]f32) }
-- input { empty([0][4]f32) 1i64 }
-- error: index
entry source [n] [m] (u: [n][m]f32) (steps: i64) =
  loop u for t < steps do
    let v = tabulate_2d n m (\i j -> u[(i - 1) % n, j] + u[(i + 1) % n, j] + 0.5 * u[i, j])
    let v = tabulate_2d n m (\i j -> v[i, (j - 1) % m] + v[i, j])
    in v with [n / 2, 1] = v[n / 2, 1] + f32.i64 t

-- ==
-- entry: walls
-- input { [[1i32, 2, 3], [4, 5, 6], [7, 8, 9], [1, 1, 1]] 2i64 9i32 }
-- output { [[9i32, 9i32, 9i32], [22i32, 26i32, 30i32], [22i32, 26i32, 30i32], [0i32, 0i32, 0i32]] }
-- input { [[1i32, 2, 3]] 1i64 9i32 }
-- output { [[0i32, 0, 0]] }
-- input { empty([2][0]i32) 2i64 9i32 }
-- output { empty([2][0]i32) }
entry walls [n] [m] (u: [n][m]i32) (steps: i64) (top: i32) =
  loop u for _t < steps do
    let v = tabulate_2d n m (\i j -> i32.max u[i64.max 0 (i - 1), j] u[i64.min (n - 1) (i + 1), j] + u[i, j])
    let v[0] = replicate m top
    let v[n - 1] = replicate m 0
    in v

-- A picture of Maxwell's equations in the plane: fields that follow each other, and a source.
-- ==
-- entry: waves
-- input { 6i64 5i64 4i32 }
-- input { 40i64 33i64 17i32 }
entry waves (n: i64) (m: i64) (steps: i32) : [n][m]f32 =
  let z = replicate n (replicate m 0f32)
  let (e, _, _) =
    loop (e, hx, hy) = (z, z, z)
    for t < steps do
      let hx = tabulate_2d n m (\i j -> if j < m - 1 then hx[i, j] - 0.5 * (e[i, j + 1] - e[i, j]) else hx[i, j])
      let hy = tabulate_2d n m (\i j -> if i < n - 1 then hy[i, j] + 0.5 * (e[i + 1, j] - e[i, j]) else hy[i, j])
      let e =
        tabulate_2d n m (\i j ->
                           if i > 0 && j > 0
                           then e[i, j] + 0.4 * ((hy[i, j] - hy[i - 1, j]) - (hx[i, j] - hx[i, j - 1]))
                           else 0)
      in (e with [n / 2, m / 2] = e[n / 2, m / 2] + f32.sin (0.1 * f32.i32 t), hx, hy)
  in e
