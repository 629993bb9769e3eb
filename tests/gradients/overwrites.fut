-- Loops that change an array in place and read it as a whole: what a step overwrites is recorded, and put back
-- in the return. `halo test --derivatives` checks them.

-- Numbers, read in an arm.
-- ==
-- entry: numbers slices places twice inner_loops inner_slices until cells pairs second
-- input { [1.5, 0.5, 2.0, -3.0, 0.25] [3i64, 0i64, 3i64, 2i64, 1i64] }
entry numbers [n] (xs: [n]f64) (is: [n]i64) =
  loop ys = copy xs
  for i < n do
    ys with [i] = if is[i] > 1 then ys[is[i]] * ys[i] else ys[i] + f64.sum (map (* xs[i]) ys)

-- Rows, all of which are read.
entry slices [n] (xs: [n]f64) (is: [n]i64) =
  loop m = replicate n xs
  for i < n do
    m with [is[i], 1:3] = map (\row -> f64.sum (map2 (*) row xs)) m[1:3]

-- Where to is a number that the loop carries, or finds in an array that it carries.
entry places [n] (xs: [n]f64) (is: [n]i64) =
  let (ys, _, _) =
    loop (ys, js, k) = (copy xs, copy is, 0i64)
    for i < n do
      let at = js[k]
      let v = f64.sum (map f64.sin ys) * ys[at]
      in (ys with [at] = v, js with [i] = (js[i] + 1) % n, (k + 3) % n)
  in ys

-- The same place again, and an array that was changed before.
entry twice [n] (xs: [n]f64) (is: [n]i64) =
  loop ys = copy xs
  for i < n do
    let a = f64.sum (map2 (*) ys xs)
    let ys = ys with [i] = a
    let b = f64.maximum ys
    let ys = ys with [i] = b * ys[is[i]]
    in ys with [is[i]] = b - a

-- An inner loop changes one row by another one, so it runs again in the return.
entry inner_loops [n] (xs: [n]f64) (is: [n]i64) =
  let m = tabulate_2d n n (\i j -> if i == j then 9 else xs[i] * f64.i64 (j + 1))
  in loop m for k < n - 1 do
       loop m for i in k + 1..<n do
         let f = m[i, k] / m[k, k]
         let m[i, k] = f
         in loop m for j in k + 1..<n do m with [i, j] = m[i, j] - f * m[k, j]

-- As deep as it goes: parts of a row in a loop in a loop.
entry inner_slices [n] (xs: [n]f64) (is: [n]i64) =
  let m = replicate n (replicate 3 xs)
  in loop m for i < n do
       let s = f64.sum (map (\rows -> f64.sum rows[1]) m) / 10
       in loop m for j < 2 do m with [i, j + 1, 0:2] = map (* s) m[is[i], j, 1:3]

entry until [n] (xs: [n]f64) (is: [n]i64) =
  let (ys, _) =
    loop (ys, i) = (copy xs, 0)
    while i < n && f64.sum ys < 30 do
      (ys with [is[i]] = f64.sum (map (\y -> y * y) ys), i + 1)
  in ys

entry cells [n] (xs: [n]f64) (is: [n]i64) =
  map (\x -> loop ys = copy xs for i < n do ys with [is[i]] = x * f64.sum (map f64.cos ys)) xs

-- Two arrays, of which each step changes both.
entry pairs [n] (xs: [n]f64) (is: [n]i64) =
  loop (a, b) = (copy xs, map (+ 1) xs)
  for i < n do
    let s = f64.sum (map2 (*) a b)
    let t = f64.sum a
    in (a with [i] = s, b with [is[i]] = t)

entry second [n] (xs: [n]f64) (is: [n]i64) =
  let f xs = loop ys = copy xs for i < n do ys with [is[i]] = f64.sum (map f64.sin ys)
  in vjp f xs (map (const 1) xs)

-- ==
-- entry: wave
-- input { [1.5, 0.5, 2.0, -3.0, 0.25] }
entry wave [n] (xs: [n]f64) =
  let step (c, before) v = 2 * v[1] - before + 0.1 * c * (v[0] - 2 * v[1] + v[2])
  in (loop (a, b) = (xs, xs) for _i < 4 do (stencil_1d [-1, 0, 1] step (zip xs b) a, a)).0
