-- Sums of the columns of short rows that a map makes: forces, means of vectors.
-- ==
-- entry: forces
-- input { [[0f32, 0, 0], [1, 0, 0], [0, 2, 0]] }
-- output { [[0.5f32, 0.4, 0], [-0.6666667f32, 0.3333333, 0], [0.1666667f32, -0.7333333, 0]] }
-- input { empty([0][3]f32) }
-- output { empty([0][3]f32) }
entry forces [n] (ps: [n][3]f32) : [n][3]f32 =
  map (\p ->
         let force q =
           let d = map2 (-) q p
           let r = 1 + f32.sum (map (\x -> x * x) d)
           in map (/ r) d
         in map f32.sum (transpose (map force ps)))
      ps

-- ==
-- entry: means
-- input { [1f32, 2, 3, 4] [10f32, 100] }
-- output { [0.25f32, 0.075] [4f32, 16] }
entry means [n] (xs: [n]f32) (ms: [2]f32) : ([2]f32, [2]f32) =
  let columns = transpose (map (\x -> [x, x * x]) xs)
  in (map2 (\c m -> f32.sum c / (f32.i64 n * m)) columns ms, map (f32.maximum) (transpose (map (\x -> [x, x * x]) xs)))

-- ==
-- entry: both
-- input { [[1i32, 2], [3, 4]] [[1i32, 1], [2, 1]] }
-- output { [[4i32, 6], [8i32, 12]] }
entry both [n] (xs: [n][2]i32) (ys: [n][2]i32) : [n][2]i32 =
  map (\y ->
         let rows = map (\x -> let k = x[0] * 0 + y[0] in map (* k) x) xs
         let weights = map (\x -> x[1] - x[0]) xs
         in map (\c -> i32.sum (map2 (*) c weights)) (transpose rows) |> map2 (+) (map (* 0) y))
      ys
