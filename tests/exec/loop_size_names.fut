-- Names for the sizes of what a loop carries, five arrays at once.
-- tolerance: exact
-- ==
-- input { [1i32,2i32,3i32] }
-- output { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32, 9i32, 10i32, 11i32, 12i32, 13i32, 14i32, 15i32, 16i32, 17i32, 18i32, 19i32, 20i32, 21i32, 22i32, 23i32, 24i32] empty([0]i32) [1i32, 1i32, 1i32] [4i32, 6i32, 8i32, 10i32, 12i32, 14i32, 16i32, 18i32, 20i32, 22i32, 24i32, 26i32, 28i32, 30i32, 32i32, 34i32, 36i32, 38i32, 40i32, 42i32, 44i32, 46i32, 48i32] [5i32, 10i32, 15i32] [1i32, 32i32, 243i32] true }
entry main [n] (xs: [n]i32) =
  let r = loop [k] (ys: [k]i32) = xs while k < 20 do ys ++ map (+ i32.i64 k) ys
  let s = loop [k][m] (a: [k]i32, b: [m]i32) = (xs, []) for i < 3 do (take (k - 1) a, b ++ take 1 a)
  let [p] (t: [p]i32) = filter (> 1) r
  let (u: [p]i32) = map (* 2) t
  let v = zip5 xs xs xs xs xs |> map (\(a, b, c, d, e) -> a + b + c + d + e)
  let w = map5 (\a b c d e -> a * b * c * d * e) xs xs xs xs xs
  in (r, s.0, s.1, u, v, w, length t == p)
