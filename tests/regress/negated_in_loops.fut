-- The largest of numbers that are one negated number, and the smallest: NVIDIA's compiler made their
-- magnitude of it.
-- ==
-- entry: rows nests cells whole
-- input { [0i32, 1i32] 3i64 }
-- input { [0i32, -7i32, 5i32] 2i64 }
-- input { [3i32, 5i32, -7i32, 9i32] 5i64 }
-- ==
-- entry: whole
-- input { [0i32, 1i32] 3i64 } output { -1i32 -1i32 -1i16 -1f32 1i32 }
entry rows [n] (ys: [n]i32) (m: i64) =
  map (\r -> (reduce i32.max i32.lowest (map (\_ -> -ys[1]) r), reduce i32.min i32.highest (map (\_ -> 0 - ys[1]) r)))
      (replicate m ys)
  |> unzip

entry nests [n] (ys: [n]i32) (m: i64) =
  map (\r -> map (\q -> reduce i8.max i8.lowest (map2 (\_ _ -> -(i8.i32 ys[1])) r q)) (replicate m ys))
      (replicate m ys)

entry cells [n] (ys: [n]i32) (m: i64) =
  map (\i -> loop a = i32.lowest for _j < n do i32.max a (-ys[(1 + i) % n])) (iota m)

entry whole [n] (ys: [n]i32) (_m: i64) =
  ( reduce i32.max i32.lowest (map (\_ -> -ys[1]) ys)
  , reduce i32.min i32.highest (map (\_ -> -ys[1]) ys)
  , reduce i16.max i16.lowest (map (\_ -> -(i16.i32 ys[1])) ys)
  , reduce f32.max f32.lowest (map (\_ -> -(f32.i32 ys[1])) ys)
  , reduce i32.max i32.lowest (map (\_ -> i32.abs ys[1]) ys)
  )
