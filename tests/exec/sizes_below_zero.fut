-- Minima of counts may be negative: their products, and checks of sums and choices of them.
-- ==
-- entry: product
-- input { [1i64, 2i64, 3i64, 4i64, 101i64, 5i64] }
-- output { 5087496i64 }
entry product [n] (xs: [n]i64) : i64 =
  let ys = filter (> 3) xs
  let zs = filter (> 4) xs
  let k = i64.min (length ys - 50) n
  let l = i64.min (length zs - 50) n
  in i64.sum (map (* 2) (iota (k * l))) + i64.sum ys + i64.sum zs

-- ==
-- entry: of_host
-- input { [1i64, 2i64, 3i64, 4i64, 101i64, 5i64] -3i64 -2i64 }
-- output { 140i64 }
-- input { [1i64, 2i64, 3i64, 4i64, 101i64, 5i64] -3i64 2i64 }
-- error: H7005
entry of_host [n] (xs: [n]i64) (a: i64) (w: i64) : i64 =
  let ys = filter (> 3) xs
  let k = i64.min (length ys) a
  in i64.sum (map (* 2) (iota (k * w))) + i64.sum ys

-- ==
-- entry: added
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 0i64 }
-- error: H7005
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] 4i64 }
-- output { 9i64 }
entry added [n] (xs: [n]i64) (w: i64) : i64 =
  let ys = filter (> 3) xs
  let k = i64.min (length ys - 5) n
  in i64.sum (map (* 2) (iota (k + w))) + i64.sum ys + i64.sum (map (* 2) (iota (k + length ys + 1)))

-- ==
-- entry: chosen
-- input { [1i64, -20i64, 3i64, 4i64, 5i64] 1000i64 }
-- error: H7005
-- input { [1i64, -20i64, 3i64, 4i64, 5i64] 3i64 }
-- output { 5i64 }
entry chosen [n] (xs: [n]i64) (w: i64) : i64 =
  let k = i64.min (i64.sum xs) n
  let q = if w > 3 then k else w
  in i64.sum (map (\i -> i * i) (iota q))

-- ==
-- entry: added_to_choice
-- input { [0i64, 4i64, 5i64] -3i64 }
-- output { [0i64, 1i64] }
-- input { [1i64, 4i64, 5i64] -3i64 }
-- error: H7005
-- input { [1i64, 4i64, 5i64] 1i64 }
-- output { [0i64, 1i64, 2i64] }
entry added_to_choice [n] (xs: [n]i64) (a: i64) : []i64 =
  let ys = filter (> 3) xs
  let k = if xs[0] > 0 then a + 1 else length ys
  in iota (k + i64.bool (xs[0] > 0) - i64.bool (k > 100))
