-- Nests whose inner reduction reads rows that do not depend on one of the levels around: a run of
-- invocations takes a tile of segments. Extents are no multiples of tiles.
-- ==
-- entry: convolution
-- input { 2i64 3i64 5i64 7i64 }
-- output { true }
-- input { 1i64 1i64 1i64 1i64 }
-- output { true }
-- input { 0i64 3i64 5i64 7i64 }
-- output { true }

-- ==
-- entry: strided
-- input { 3i64 5i64 9i64 }
-- output { true }
-- input { 1i64 1i64 3i64 }
-- output { true }

-- ==
-- entry: line
-- input { 3i64 5i64 21i64 4i64 }
-- output { true }
-- input { 9i64 2i64 40i64 1i64 }
-- output { true }
-- input { 2i64 0i64 9i64 3i64 }
-- output { true }

-- ==
-- entry: nearest
-- input { 13i64 11i64 3i64 }
-- output { true }
-- input { 2i64 300i64 5i64 }
-- output { true }
-- input { 5i64 1i64 0i64 }
-- output { true }

-- ==
-- entry: supports
-- input { 7i64 2000i64 }
-- output { true }
-- input { 17i64 3i64 }
-- output { true }

-- ==
-- entry: gram
-- input { 5i64 3i64 70i64 }
-- output { true }

-- ==
-- entry: branches
-- input { 6i64 9i64 33i64 }
-- output { true }

def at (i: i64) : f32 = f32.i64 (i * 7919 % 23 - 11)
def cube (a: i64) (b: i64) (c: i64) = tabulate_3d a b c (\i j k -> at ((i * b + j) * c + k))

-- Every second element counts twice, so that places matter.
def weighed [n] (xs: [n]f32) : f32 = f32.sum (map2 (\x i -> x * f32.i64 (1 + i % 3)) xs (iota n))

entry convolution (n: i64) (c: i64) (o: i64) (h: i64) : bool =
  let xs = map (\s -> map (map (map (+ f32.i64 s))) (cube c h h)) (iota n)
  let ks = map (\s -> map (map (map (* f32.i64 (1 + s)))) (cube c 3 3)) (iota o)
  let get (x: [c][h][h]f32) (q: i64) (y: i64) (z: i64) = if y >= 0 && y < h && z >= 0 && z < h then x[q, y, z] else 0
  let made =
    map (\x -> map (\k -> tabulate_2d h h (\i j ->
      f32.sum (map2 (\xc kc -> f32.sum (flatten (map2 (\di r -> map2 (\dj v ->
        let y = i + di - 1 let z = j + dj - 1
        in if y >= 0 && y < h && z >= 0 && z < h then v * xc[y, z] else 0) (iota 3) r) (iota 3) kc))) x k))) ks) xs
  let wanted =
    map (\x -> map (\k -> tabulate_2d h h (\i j ->
      loop s = 0 for q < c * 9 do
        let (q, di, dj) = (q / 9, q % 9 / 3, q % 3)
        in s + k[q, di, dj] * get x q (i + di - 1) (j + dj - 1))) ks) xs
  in weighed (flatten (flatten (flatten made))) == weighed (flatten (flatten (flatten wanted)))

entry strided (c: i64) (o: i64) (h: i64) : bool =
  let x = cube c h h
  let ks = map (\s -> map (map (map (* f32.i64 (1 + s)))) (cube c 3 3)) (iota o)
  let m = (h - 1) / 2
  let made = map (\k -> tabulate_2d m m (\i j ->
    f32.sum (map2 (\xc kc -> f32.sum (map2 (\di r -> f32.sum (map2 (\dj v -> v * xc[2 * i + di, 2 * j + dj]) (iota 3) r)) (iota 3) kc)) x k))) ks
  let wanted = map (\k -> tabulate_2d m m (\i j ->
    loop s = 0 for q < c * 9 do
      let (q, di, dj) = (q / 9, q % 9 / 3, q % 3)
      in s + k[q, di, dj] * x[q, 2 * i + di, 2 * j + dj])) ks
  in weighed (flatten (flatten made)) == weighed (flatten (flatten wanted))

entry line (c: i64) (o: i64) (n: i64) (k: i64) : bool =
  let x = tabulate_2d c n (\i j -> at (i * n + j))
  let ks = cube o c k
  let made = map (\kk -> tabulate (n - k) (\i -> f32.sum (map2 (\xc kc -> f32.sum (map2 (*) kc xc[i:i + k])) x kk))) ks
  let wanted = map (\kk -> tabulate (n - k) (\i -> loop s = 0 for q < c * k do s + kk[q / k, q % k] * x[q / k, i + q % k])) ks
  in weighed (flatten made) == weighed (flatten wanted)

-- The operator keeps the order of its elements.
def least (a: f32, i: i64) (b: f32, j: i64) = if a < b || (a == b && i < j) then (a, i) else (b, j)

entry nearest (m: i64) (n: i64) (d: i64) : bool =
  let qs = tabulate_2d m d (\i j -> at (i * d + j))
  let xs = tabulate_2d n d (\i j -> at ((i + 3) * d * 5 + j))
  let far (q: [d]f32) (x: [d]f32) = f32.sum (map2 (\a b -> (a - b) * (a - b)) q x)
  let made = map (\q -> reduce least (f32.inf, -1) (zip (map (far q) xs) (iota n))) qs
  let wanted = map (\q -> loop best = (f32.inf, -1) for i < n do
    least best (loop s = 0 for k < d do s + (q[k] - xs[i, k]) * (q[k] - xs[i, k]), i)) qs
  in and (map2 (\(a, i) (b, j) -> a == b && i == j) made wanted)

entry supports (k: i64) (n: i64) : bool =
  let ps = tabulate n (\i -> (at i, at (i / 3)))
  let dirs = tabulate k (\i -> (at (i * 5), at (i * 11 + 1)))
  let most (a: f32, i: i64) (b: f32, j: i64) = if a > b || (a == b && i < j) then (a, i) else (b, j)
  let made = map (\(dx, dy) -> reduce most (-f32.inf, -1) (map2 (\(x, y) i -> (x * dx + y * dy, i)) ps (iota n))) dirs
  let wanted = map (\(dx, dy) -> loop best = (-f32.inf, -1) for i < n do most best (ps[i].0 * dx + ps[i].1 * dy, i)) dirs
  in and (map2 (\(a, i) (b, j) -> a == b && i == j) made wanted)

-- Rows that do not depend on one of three levels each.
entry gram (m: i64) (k: i64) (n: i64) : bool =
  let ys = tabulate_2d m n (\i j -> if (i + j) % 3 == 0 then f32.nan else at (i * n + j))
  let x = tabulate_2d k n (\i j -> at (i + j * 5))
  let made = map (\y -> map (\a -> map (\b -> f32.sum (map3 (\q a b -> if f32.isnan q then 0 else a * b) y a b)) x) x) ys
  let wanted = map (\y -> map (\a -> map (\b -> loop s = 0 for i < n do if f32.isnan y[i] then s else s + a[i] * b[i]) x) x) ys
  in weighed (flatten (flatten made)) == weighed (flatten (flatten wanted))

-- Branches that depend on one level alone, and on all.
entry branches (m: i64) (k: i64) (n: i64) : bool =
  let xs = tabulate n at
  let cell (i: i64) (j: i64) (x: f32) (p: i64) =
    let u = if j % 2 == 0 then x * f32.i64 j else x - 1
    let v = if i + j > p then u else -u
    in if i % 3 == 1 then v + xs[(p + i) % n] else v
  let made = tabulate_2d m k (\i j -> f32.sum (map2 (cell i j) xs (iota n)))
  let wanted = tabulate_2d m k (\i j -> loop s = 0 for p < n do s + cell i j xs[p] p)
  in weighed (flatten made) == weighed (flatten wanted)
