-- Sums of rows in short steps: several lanes of the workgroup for each row.
-- ==
-- entry: power
-- input { 1i64 1i64 3i64 }
-- input { 5i64 5i64 2i64 }
-- input { 33i64 33i64 4i64 }
-- input { 64i64 64i64 9i64 }
-- input { 130i64 130i64 3i64 }
-- ==
-- entry: rows
-- input { 1i64 0i64 2i64 }
-- input { 3i64 100i64 4i64 }
-- input { 40i64 31i64 5i64 }
-- input { 600i64 20i64 3i64 }
-- ==
-- entry: several
-- input { 3i64 17i64 2i64 }
-- input { 50i64 65i64 6i64 }
-- ==
-- entry: triangle
-- input { 2i64 }
-- input { 50i64 }

entry power (n: i64) (m: i64) (steps: i64) : ([m]f64, f64) =
  let a = tabulate_2d m m (\i j -> f64.i64 ((i * j + 3 * i) % 7) + 1)
  in loop (v, _) = (replicate m 1, f64.i64 n)
     for _i < steps do
       let w = map (\row -> f64.sum (map2 (*) row v)) a
       let s = f64.sqrt (f64.sum (map (\x -> x * x) w))
       in (map (/ s) w, s)

entry rows (n: i64) (m: i64) (steps: i64) : [n]i32 =
  let xss = tabulate_2d n m (\i j -> i32.i64 ((i * 13 + j * j) % 31))
  in loop ys = replicate n 1i32
     for s < steps do
       map2 (\xs y -> (i32.maximum (map (^ y) xs) + y + i32.i64 s) % 1009) xss ys

entry several (n: i64) (m: i64) (steps: i64) : ([n]i64, [n]i64) =
  let xss = tabulate_2d n m (\i j -> (i * 11 + j * 3) % 29)
  in loop (as, bs) = (replicate n 1, replicate n 2)
     for _s < steps do
       unzip (map3 (\xs a b ->
                      let s = i64.sum (map (* a) xs) % 1013
                      let t = i64.maximum (map (\x -> (x + s + b) % 57) xs)
                      in (s, t))
                   xss
                   as
                   bs)

entry triangle (n: i64) : [n]i64 =
  loop xs = iota n
  for i < n do
    let sums = tabulate (n - i) (\j -> i64.sum (map (\k -> xs[k] * (k + j)) (iota i)) % 1009)
    in map2 (\x k -> if k < n - i then x + sums[k] else x) xs (iota n)
