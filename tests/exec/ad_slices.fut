-- Cells that share an index of an array: columns, rows and single elements get their cotangents as slices,
-- where an index that no cell uses may be outside.
-- tolerance: exact
-- ==
-- entry: column
-- input { [[1f64, 2f64], [3f64, 4f64]] 1i64 } output { [[0f64, 5f64], [0f64, 9f64]] }
-- input { [[1f64, 2f64], [3f64, 4f64]] 7i64 } output { [[2f64, 2f64], [2f64, 2f64]] }
-- input { [[1f64, 2f64], [3f64, 4f64]] -1i64 } output { [[2f64, 2f64], [2f64, 2f64]] }
-- input { empty([2][0]f64) 0i64 } output { empty([2][0]f64) }
-- input { empty([0][2]f64) 0i64 } output { empty([0][2]f64) }
entry column [n] [m] (xs: [n][m]f64) (k: i64) =
  let f (xs: [n][m]f64) =
    let cell i = if 0 <= k && k < m then xs[i, k] * xs[i, k] + xs[i, k] else 2 * f64.sum xs[i]
    in f64.sum (map cell (iota n))
  in vjp f xs 1

-- ==
-- entry: parts
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] 1i64 } output { [[6f64, 6f64, 6f64], [1f64, 8f64, 1f64]] }
entry parts [n] [m] (xs: [n][m]f64) (k: i64) =
  let f (xs: [n][m]f64) =
    let all = f64.sum (flatten xs)
    let row = map (\j -> xs[0, j] * xs[n - 1, k]) (iota m)
    let of_column = map (\i -> xs[i, k] * f64.i64 i) (iota n)
    in all + f64.sum row + f64.sum of_column
  in vjp f xs 1

-- ==
-- entry: arms
-- input { [[1f64, 2f64], [3f64, 4f64]] 0i64 } output { [[-1f64, -2f64], [-2f64, 1f64]] }
-- input { [[1f64, 2f64], [3f64, 4f64]] 1i64 } output { [[1f64, 4f64], [1f64, 8f64]] }
entry arms [n] (xs: [n][n]f64) (k: i64) =
  let f (xs: [n][n]f64) =
    tabulate_2d n n (\i j ->
                       if i > k
                       then xs[i, j] - xs[i, k] * xs[k, j]
                       else if j == k then xs[i, k] * xs[i, k] else xs[i, j])
  in vjp f xs (replicate n (replicate n 1))

-- One element of an array that also counts whole, in a loop of steps.
-- ==
-- entry: steps
-- input { [1f64, 2f64, 3f64] 2i64 } output { [19f64, 1f64, 1f64] }
entry steps [n] (xs: [n]f64) (k: i64) =
  let f (xs: [n]f64) = f64.sum (loop xs for _i < k do map (\x -> x * xs[0]) xs)
  in vjp f xs 1
