-- Code behind whole reductions: conditions of loops, checks, elements that are replaced. One workgroup
-- has the totals of few elements, a second launch those of many.
-- ==
-- entry: residual
-- input { 5i64 } output { 19i32 0f32 }
-- input { 70000i64 } output { 19i32 2.9999943f32 }
-- ==
-- entry: record
-- input { 4i64 } output { [6i64, 12i64, 24i64, 48i64] }
-- input { 100000i64 } output { [4999950000i64, 9999900000i64, 19999800000i64, 39999600000i64] }
-- ==
-- entry: replace
-- input { 4i64 } output { [0i64, 6i64, 11i64, 20i64] }
-- ==
-- entry: place
-- input { [3i32, 9i32, 4i32] [0i64, 2i64, 1i64] } output { [0i32, 1i32, 1i32] }
-- ==
-- entry: place
-- input { [3i32, 9i32, 4i32] [0i64, 5i64, 1i64] }
-- error: `\[3.`.*H7001
-- ==
-- entry: reach
-- input { 3i64 } output { [0i32, 1i32, 2i32] }
-- input { 40i64 } output { [0i32, 1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32, 9i32, 10i32, 11i32, 12i32, 13i32, 14i32, 15i32, 16i32, 17i32, 18i32, 19i32, 20i32, 21i32, 22i32, 23i32, 24i32, 25i32, 26i32, 27i32, 28i32, 29i32, 30i32, 31i32, 32i32, 33i32, 34i32, 35i32, 36i32, 37i32, 38i32, 39i32] }
entry residual (n: i64) : (i32, f32) =
  let (xs, _, k) = loop (xs, err, k) = (replicate n 0f32, 1f32, 0i32) while err > 1e-5 && k < 100 do
    let ys = map2 (\x i -> 0.5 * (x + f32.i64 (i % 4))) xs (iota n)
    in (ys, f32.maximum (map2 (\a b -> f32.abs (a - b)) xs ys), k + 1)
  in (k, xs[n - 1])
entry record (n: i64) : []i64 =
  let (_, sums) = loop (xs, sums) = (iota n, replicate 4 0i64) for i < 4 do
    (map (* 2) xs, sums with [i] = i64.sum xs)
  in sums
-- The sum replaces an element of the array that it sums.
entry replace (n: i64) : [n]i64 =
  loop xs = map (\i -> i) (iota n) for i in 1..<n do xs with [i] = i64.sum xs
-- The check stands behind the reduction that gives the place.
entry place [n] (xs: [n]i32) (to: [n]i64) : [n]i32 =
  loop out = replicate n 0i32 for i < 2 do
    let at = i64.sum (map2 (\x j -> if x > 3 + i32.i64 i then to[j] else 0) xs (iota n)) / (2 - i)
    in out with [at] = 1
entry reach (n: i64) : [n]i32 =
  let (d, _, _) = loop (d, front, k) = (map (\i -> if i == 0 then 0i32 else -1) (iota n), map (== 0) (iota n), 0i32) while or front do
    let next = map2 (\i di -> di < 0 && or (map2 (\j f -> f && (j == i + 1 || j == i - 1)) (iota n) front)) (iota n) d
    in (map2 (\di f -> if f then k + 1 else di) d next, next, k + 1)
  in d
