-- Twenty loops: in place, over arrays and ranges, with tuples, records, matrices and while.
entry l1 [n] (xs: *[n]i32) = loop xs for i < n / 2 do let t = xs[i] let xs[i] = xs[n - i - 1] let xs[n - i - 1] = t in xs
entry l2 (n: i64) = loop (a, b) = (iota n, 0) while b < 3 do (map (+ b) a, b + 1)
entry l3 [n] (xs: [n]i32) = loop acc = replicate n 0 for x in xs do map (+ x) acc
entry l4 (xs: []i32) = loop (ys: []i32) = [] for x in xs do if x < 0 then ys else ys ++ [x]
entry l5 (n: i64) = loop (xs, ys) = (iota n, iota (n + 1)) for i < 3i32 do (map (* 2) xs, map (+ 1) ys)
entry l6 [n] (xs: [n]f32) = let (ys, d) = loop (ys, d) = (copy xs, 1) while d < n do (map (\i -> if i >= d then ys[i] + ys[i - d] else ys[i]) (iota n), d * 2) in (ys, d)
entry l7 (s: i32) = let (a, _, _) = loop (a, b, c) = (0, 1, s) while c > 0 do (b, a + b, c - 1) in a
entry l8 [n] [m] (xss: [n][m]i32) = loop acc = replicate m 0 for xs in xss do map2 (+) acc xs
entry l9 (n: i32) = loop x = {a = 0, b = [1, 2]} for i < n do x with a = x.a + i with b = map (+ i) x.b
entry l10 (n: i64) : i64 = loop x = 0 for i in (reverse (iota n)) do x * 2 + i
entry l11 [n] (xs: [n]i64) = let xs = copy xs in loop xs for (i, j) in zip (iota n) (rotate 1 (iota n)) do xs with [i] = xs[j] + xs[i]
entry l12 (x: i32) = let f i = loop y = i for j < x do y + j in map f [1, 2, 3]
entry l13 [n] (xs: [n]i32) = loop (lo, hi) = (0, n) while hi - lo > 1 do let mid = lo + (hi - lo) / 2 in if xs[mid] <= 5 then (mid, hi) else (lo, mid)
entry l14 (n: i8) = loop (s: i8) = 0 for i < n do s + i
entry l15 (n: u8) = loop s = 0u8 for i < n do s + i

entry l16 [n] (a: [n][n]f64) =
  loop a = copy a
  for k < n do
    let p = a[k, k]
    let row = map (/ p) a[k]
    let a[k] = row
    in map2 (\i r -> if i == k then r else map2 (\x y -> x - r[k] * y) r row) (iota n) a

entry l17 (n: i64) = #[unroll] loop acc = [1, 1] for i < n do [acc[1], acc[0] + acc[1]]
entry l18 [n] (xs: [n]i32) = let (i, _) = loop (i, go) = (0, true) while go do (if i >= n then (i, false) else if xs[i] == 0 then (i, false) else (i + 1, true)) in i
entry l19 (n: i64) = let fact = (loop (acc, i) = (1i64, 1) while i <= n do (acc * i, i + 1)).0 in fact
entry l20 [n] (xs: [n]i32) (ms: []i32) = loop ys = xs for m in ms do (let zs = filter (!= m) ys in if length zs == 0 then ys else zs)

-- ==
-- entry: l1
-- input { [1,2,3,4,5] } output { [5,4,3,2,1] }
-- ==
-- entry: l2
-- input { 3i64 } output { [3i64,4i64,5i64] 3i64 }
-- ==
-- entry: l3
-- input { [1,2,3] } output { [6,6,6] }
-- ==
-- entry: l4
-- input { [1,-2,3] } output { [1,3] }
-- ==
-- entry: l5
-- input { 2i64 } output { [0i64,8i64] [3i64,4i64,5i64] }
-- ==
-- entry: l6
-- input { [1f32,2f32,3f32,4f32] } output { [1f32,3f32,6f32,10f32] 4i64 }
-- ==
-- entry: l7
-- input { 10 } output { 55 }
-- ==
-- entry: l8
-- input { [[1,2],[3,4],[5,6]] } output { [9,12] }
-- ==
-- entry: l10
-- input { 4i64 } output { 34i64 }
-- ==
-- entry: l11
-- input { [1i64,2i64,3i64] } output { [3i64,5i64,6i64] }
-- ==
-- entry: l12
-- input { 4 } output { [7,8,9] }
-- ==
-- entry: l13
-- input { [1,2,5,6,9] } output { 2i64 3i64 }
-- ==
-- entry: l14
-- input { 10i8 } output { 45i8 }
-- ==
-- entry: l15
-- input { 30u8 } output { 179u8 }
-- ==
-- entry: l16
-- input { [[2.0,1.0],[1.0,3.0]] } output { [[1.0,0.0],[0.0,1.0]] }
-- ==
-- entry: l17
-- input { 5i64 } output { [8,13] }
-- ==
-- entry: l18
-- input { [1,2,0,4] } output { 2i64 }
-- ==
-- entry: l19
-- input { 5i64 } output { 120i64 }
-- ==
-- entry: l20
-- input { [1,2,3,2] [2,3,1] } output { [1] }
