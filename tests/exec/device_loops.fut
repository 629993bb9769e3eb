-- Loops that carry scalars of kernels, or end when a kernel says so: the host runs ahead, and what it
-- started in vain must change nothing, wherever in its chunk of iterations a loop ends.

-- Halves until the largest is small: rings of buffers, a counter that the host knows.
-- ==
-- entry: halve
-- input { 100f32 [1f32, 64f32] } output { [1f32, 64f32] 0i32 }
-- input { 64f32 [1f32, 64f32] } output { [1f32, 64f32] 0i32 }
-- input { 63f32 [1f32, 64f32] } output { [0.5f32, 32f32] 1i32 }
-- input { 16f32 [1f32, 64f32] } output { [0.25f32, 16f32] 2i32 }
-- input { 8f32 [1f32, 64f32] } output { [0.125f32, 8f32] 3i32 }
-- input { 4f32 [1f32, 64f32] } output { [0.0625f32, 4f32] 4i32 }
-- input { 2f32 [1f32, 64f32] } output { [0.03125f32, 2f32] 5i32 }
-- input { 0.5f32 [1f32, 64f32] } output { [0.0078125f32, 0.5f32] 7i32 }
-- input { 0f32 [64f32] } output { [0f32] 156i32 }
entry halve [n] (limit: f32) (xs: [n]f32) : ([n]f32, i32) =
  loop (xs, k) = (xs, 0) while f32.maximum xs > limit do (map (/ 2) xs, k + 1)

-- The array before is carried as well: memory is handed on.
-- ==
-- entry: fibonacci
-- input { 1i32 } output { [0i32, 0i32] [1i32, 2i32] }
-- input { 30i32 } output { [8i32, 16i32] [13i32, 26i32] }
-- input { 1000i32 } output { [233i32, 466i32] [377i32, 754i32] }
entry fibonacci (limit: i32) : ([]i32, []i32) =
  loop (a, b) = ([0, 0], [1i32, 2]) while i32.sum b < limit do (b, map2 (+) a b)

-- Updates in place, and one array that no iteration changes.
-- ==
-- entry: scattered
-- input { 4i64 [0i64, 1i64, 2i64, 3i64, 4i64, 5i64] } output { [1i32, 1i32, 1i32, 1i32, 0i32, 0i32] 4i64 }
-- input { 0i64 [0i64, 1i64] } output { [0i32, 0i32] 0i64 }
-- input { 2i64 [0i64, 1i64] } output { [1i32, 1i32] 2i64 }
entry scattered [n] (most: i64) (is: [n]i64) : ([n]i32, i64) =
  let (marks, _, k) =
    loop (marks, is, k) = (replicate n 0i32, is, 0i64)
    while i64.i32 (i32.sum marks) < most do
      (scatter marks (map (\i -> if i == k then i else -1) is) (replicate n 1), is, k + 1)
  in (marks, k)

-- An index that is out of bounds in an iteration that does not run, and in one that does.
-- ==
-- entry: bounds
-- input { [1i32, 2i32, 3i32] 3i32 } output { 4i32 }
-- input { [1i32, 2i32, 3i32] 6i32 } output { 7i32 }
-- input { [1i32, 2i32, 3i32] 100i32 } error: out of range
entry bounds [n] (xs: [n]i32) (limit: i32) : i32 =
  let ys = map (\x -> x - 1) xs
  let (s, _) =
    loop (s, i) = (1, 0i64)
    while i32.sum (map (+ s) (replicate 1 0)) <= limit do
      (s + i32.maximum (map (\y -> y + 1) ys[i:i + 1]), i + 1)
  in s

-- Kernels that would fail in iterations that do not run.
-- ==
-- entry: divides
-- input { [6i32, 12i32] } output { [60i32, 120i32] }
entry divides [n] (xs: [n]i32) : [n]i32 =
  (loop (xs, d) = (xs, 4i32)
   while i32.maximum xs < 100 do
     (map2 (\x i -> x * 10 / (d - 3 + i32.i64 i)) xs (iota n) |> map2 (\i x -> x * (i32.i64 i + 1)) (iota n), d - 1)).0

-- Scalars that only kernels know, in counted loops; looked at when the loop is over.
-- ==
-- entry: gradients
-- input { 0i32 [4f32, 8f32] } output { [0f32, 0f32] 80f32 }
-- input { 1i32 [4f32, 8f32] } output { [2f32, 4f32] 0f32 }
-- input { 5i32 [4f32, 8f32] } output { [2f32, 4f32] 0f32 }
entry gradients [n] (steps: i32) (b: [n]f32) : ([n]f32, f32) =
  let dot (xs: [n]f32) (ys: [n]f32) = f32.sum (map2 (*) xs ys)
  let (x, _, _, rr) =
    loop (x, r, p, rr) = (map (* 0) b, b, b, dot b b)
    for _i < steps do
      let q = map (* 2) p
      let alpha = if rr > 0 then rr / dot p q else 0
      let x = map2 (\x p -> x + alpha * p) x p
      let r = map2 (\r q -> r - alpha * q) r q
      let next = dot r r
      let beta = if rr > 0 then next / rr else 0
      in (x, r, map2 (\r p -> r + beta * p) r p, next)
  in (x, rr)

-- 64-bit integers: one that is data, one that is a size, one that the host counts by.
-- ==
-- entry: wide
-- input { 3i32 [1i64, 2i64, 3i64] } output { [13i64, 19i64, 25i64] 6i64 }
entry wide [n] (k: i32) (xs: [n]i64) : ([n]i64, i64) =
  let total = i64.sum xs
  let ones = replicate total 1i64
  let (xs, s) =
    loop (xs, s) = (xs, 0i64)
    for i < k do
      let most = i64.maximum xs
      in (map (+ (most - i64.minimum xs)) xs, s + if i < 3 then i64.sum ones / 3 else 0)
  in (map2 (\x i -> x + i * 5 + 6) xs (iota n), s)

-- One inside of another; the inner one starts again each time.
-- ==
-- entry: nested
-- input { 3i32 [1i32, 5i32] } output { [140i32, 460i32] 7i32 }
entry nested [n] (k: i32) (xs: [n]i32) : ([n]i32, i32) =
  loop (xs, count) = (xs, 0i32)
  for i < k do
    let (ys, c) =
      loop (ys, c) = (xs, 0i32)
      while i32.sum ys < 10 * (i + 1) * (i + 1) + i32.sum xs do
        (map2 (\y x -> y + x / 2 + 1) ys xs, c + 1)
    in (map (\y -> y * 2 - i) ys, count + c)

-- Conditions of several scalars, one of them a flag that is carried.
-- ==
-- entry: flags
-- input { [5i32, 3i32, 9i32, 1i32] } output { [1i32, 3i32, 5i32, 9i32] 4i32 }
-- input { [1i32, 2i32] } output { [1i32, 2i32] 2i32 }
-- input { [9i32, 8i32, 7i32, 6i32, 5i32, 4i32, 3i32, 2i32, 1i32] } output { [1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32, 9i32] 10i32 }
entry flags [n] (xs: [n]i32) : ([n]i32, i32) =
  let (xs, _, rounds) =
    loop (xs, changed, k) = (xs, true, 0i32)
    while changed do
      let odd = i64.i32 (k % 2)
      let ys =
        map (\i ->
               let j = if i % 2 == odd then i + 1 else i - 1
               in if j < 0 || j >= n
                  then xs[i]
                  else if j > i then i32.min xs[i] xs[j] else i32.max xs[i] xs[j])
            (iota n)
      in (ys, k == 0 || or (map2 (!=) xs ys) || k < 2 && n > 2, k + 1)
  in (xs, rounds)

-- Checks in a loop whose condition only the device knows; one of them fails, in the third iteration,
-- or not at all, as what would fail is not reached.
-- ==
-- entry: checked
-- input { 3i64 [1f32, 2f32] 100f32 } output { [243f32, 275f32] 5i64 }
-- input { 3i64 [1f32, 2f32] 1f32 } output { [1f32, 2f32] 0i64 }
-- input { 1i64 [1f32, 2f32] 1f32 } output { [1f32, 2f32] 0i64 }
-- input { 1i64 [1f32, 2f32] 100f32 } error: assertion
-- input { 3i64 [1f32, 2f32, -0.5f32] 100f32 } error: assertion
entry checked [n] (k: i64) (xs: [n]f32) (limit: f32) : ([n]f32, i64) =
  loop (xs, i) = (xs, 0)
  while f32.maximum xs < limit do
    let least = f32.minimum xs
    let ys = assert (k > 2) (map (+ least / 2) xs)
    in (assert (least > -2) (map (* 2) ys), i + 1)
