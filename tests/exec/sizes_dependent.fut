-- Parameters that are sizes of others, partial applications of such functions.
-- tolerance: exact
-- ==
-- input { 3i64 [1i32,2i32,3i32] }
-- output { [4i32, 5i32, 6i32] [1i32, 1i32, 2i32, 2i32, 3i32, 3i32] [1i32, 2i32, 3i32] [[1i32, 1i32], [2i32, 2i32], [3i32, 3i32]] [1i32, 2i32, 3i32, 1i32, 2i32] [10i32, 11i32, 12i32] [2i32, 3i32, 4i32] [[1i32, 1i32], [1i32, 1i32], [1i32, 1i32]] }
def dep (n: i64) (xs: [n]i32) (k: i64) : [n * k]i32 = flatten (map (replicate k) xs)

entry main (n: i64) (xs: [n]i32) =
  let f = \(m: i64) (ys: [m]i32) -> (map (+ i32.i64 m) ys : [m]i32)
  let g = dep n xs
  let h = map (replicate 2) xs
  let pick 'a [k] (a: [k]a) (i: i64): a = a[i % k]
  let p = map (\i -> let q [k] (z: [k]i32) = i32.sum z + i32.i64 k in q xs + q [i32.i64 i]) (iota n)
  in (f n xs, g 2, g 1, h, map (pick xs) (iota 5), p, map (\x -> (pick [x, x + 1] 1, pick h 0)) xs |> unzip)
