-- Transposed loads: transposes of elements of every size, maps over transposed arrays, in tiles
-- and what is left beside them; axes that change places in arrays of three.
-- ==
-- entry: shorts
-- input { 33i64 50i64 }
-- output { true }
-- input { 1i64 70i64 }
-- output { true }
-- input { 64i64 64i64 }
-- output { true }
-- input { 0i64 5i64 }
-- output { true }
entry shorts (n: i64) (m: i64) : bool =
  let xs = tabulate_2d n m (\i j -> i32.i64 (i * 7 + j * 13))
  let at 't (f: i32 -> t) (eq: t -> t -> bool): bool =
    let ys = copy (transpose (map (map f) xs))
    in and (flatten (tabulate_2d m n (\i j -> eq ys[i, j] (f (i32.i64 (j * 7 + i * 13))))))
  in at i8.i32 (==) && at i16.i32 (==) && at i64.i32 (==) && at f32.i32 (==) && at f64.i32 (==)
     && at (\x -> x % 3 == 0) (==)
     && at f16.i32 (==)

-- ==
-- entry: maps
-- input { 37i64 90i64 }
-- output { true }
entry maps (n: i64) (m: i64) : bool =
  let xs = tabulate_2d n m (\i j -> f32.i64 (i * 100 + j))
  let ys = tabulate_2d m n (\i j -> f32.i64 (i - j))
  let scales = tabulate m f32.i64
  let zs = map3 (\s row other -> map2 (\x y -> x * s + y) row other) scales (transpose xs) ys
  in and (flatten (tabulate_2d m n (\i j -> zs[i, j] == xs[j, i] * scales[i] + ys[i, j])))

-- ==
-- entry: axes
-- input { 20i64 33i64 18i64 }
-- output { true }
entry axes (a: i64) (b: i64) (c: i64) : bool =
  let xs = tabulate_3d a b c (\i j k -> i32.i64 (i * 10000 + j * 100 + k))
  let ys = copy (map transpose (transpose xs)) -- [b][c][a]
  let zs = copy (transpose (map transpose xs)) -- [c][a][b]
  let one = and (flatten_3d (tabulate_3d b c a (\j k i -> ys[j, k, i] == xs[i, j, k])))
  let two = and (flatten_3d (tabulate_3d c a b (\k i j -> zs[k, i, j] == xs[i, j, k])))
  in one && two
