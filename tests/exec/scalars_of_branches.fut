-- Scalars of branches that the host decides, and elements of carried arrays, stay on the device (gpu/plan/placement).
-- ==
-- entry: lasts
-- input { [3i64, 1i64, 2i64] 4i32 } output { [4i64, 2i64, 3i64] 39i64 }
-- input { empty([0]i64) 4i32 } output { empty([0]i64) 0i64 }
entry lasts [n] (xs: [n]i64) (steps: i32) =
  loop (xs, sum) = (xs, 0i64)
  for _i < steps do
    let sums = scan (+) 0 xs
    let (total, first) = if n == 0 then (0, 0) else (last sums, sums[0])
    in (map (\x -> (x + total - first) % 7 + first - first) xs |> map (+ (total - total)), sum + total)

-- ==
-- entry: eliminate
-- input { [[4f64, 2f64], [2f64, 3f64]] } output { [[4f64, 2f64], [0.5f64, 2f64]] }
-- input { [[2f64]] } output { [[2f64]] }
entry eliminate [n] (a: *[n][n]f64) : [n][n]f64 =
  loop a for k < n - 1 do
    let pivot = a[k, k]
    let column = map (\i -> if i > k then a[i, k] / pivot else a[i, k]) (iota n)
    in tabulate_2d n n (\i j ->
                          if i > k && j > k
                          then a[i, j] - column[i] * a[k, j]
                          else if j == k then column[i] else a[i, j])

-- ==
-- entry: first_of_argument
-- input { [2i64, 5i64] 3i64 } output { [4i64, 10i64] }
-- input { [2i64, 5i64] -3i64 } output { [10i64, 25i64] }
entry first_of_argument (xs: []i64) (k: i64) =
  let scale = if k > 0 then xs[0] else xs[1]
  in map (* scale) xs

-- ==
-- entry: chosen_sums
-- input { [1i32, 2i32, 3i32] 1i64 } output { [7i32, 8i32, 9i32] 6i32 }
-- input { [1i32, 2i32, 3i32] 0i64 } output { [6i32, 7i32, 8i32] 5i32 }
entry chosen_sums [n] (xs: [n]i32) (k: i64) =
  let s = if k == 1 then i32.sum xs else if k == 0 then 5 else xs[n - 1]
  in (map (+ s) xs, s)
