-- The dot product of a direction's result with weights is that of the direction with the weights'
-- gradient; of whole numbers to the bit.

def dot [n] (xs: [n]f64) (ys: [n]f64) = f64.sum (map2 (*) xs ys)

def agrees [n] [m] (f: [n]f64 -> [m]f64) (xs: [n]f64) : bool =
  let direction = map (\x -> 2 * x - 3) xs
  let (ys, ys') = jvp2 f xs direction
  let weights = map (\i -> f64.i64 (i * i % 7) - 2) (iota m)
  let (zs, xs') = vjp2 f xs weights
  let plain = f xs
  in dot ys' weights == dot direction xs' && all id (map2 (==) ys plain) && all id (map2 (==) zs plain)

-- ==
-- entry: moves
-- input { [3.0, 1.0, 4.0, 1.0, 5.0, 9.0] }
-- output { [true, true, true, true, true, true, true] }
entry moves (xs: [6]f64) =
  [ agrees (\xs -> reverse xs ++ map (* 2) xs) xs
  , agrees (\xs -> flatten (transpose (unflatten (xs :> [2 * 3]f64)))) xs
  , agrees (\xs -> let (as, bs) = unzip (zip xs (rotate 2 xs)) in map2 (*) as bs) xs
  , agrees (\xs -> (xs[1:5:2] ++ take 3 xs) :> [5]f64) xs
  , agrees (\xs -> flatten (replicate 2 (map2 (*) xs (reverse xs)))) xs
  , agrees (\xs -> copy xs with [1:3] = map (* xs[0]) xs[3:5]) xs
  , agrees (\xs -> f64.sort (map (\x -> x * x) xs)) xs
  ]

-- ==
-- entry: reductions
-- input { [3.0, 1.0, 4.0, 1.0, 5.0, 9.0] } output { [true, true, true, true, true, true] }
entry reductions (xs: [6]f64) =
  let product (a, b, c, d) (e, f, g, h) = (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
  let matrices xs = map (\x -> (x, 1, 1, 0)) xs
  in [ agrees (\xs -> let (a, b, c, d) = reduce product (1, 0, 0, 1) (matrices xs) in [a, b, c, d]) xs
     , agrees (\xs -> map (.0) (scan product (1, 0, 0, 1) (matrices xs))) xs
     , agrees (\xs -> [reduce (\x y -> x + y + x * y) 0 xs, reduce f64.max f64.lowest xs]) xs
     , agrees (\xs -> scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (zip xs (reverse xs)) |> map (.1)) xs
     , agrees (\xs -> map f64.sum (map (\x -> map (* x) xs) xs)) xs
     , agrees (\xs -> reduce (map2 (+)) (replicate 2 0) (map (\x -> [x, x * x]) xs)) xs
     ]

-- ==
-- entry: places
-- input { [3.0, 1.0, 4.0, 1.0, 5.0, 9.0] } output { [true, true, true, true, true] }
entry places (xs: [6]f64) =
  [ agrees (\xs -> reduce_by_index (copy xs) (*) 1 [0, 2, 0, 9, 5, 0] xs) xs
  , agrees (\xs ->
              flatten (reduce_by_index_2d (replicate 2 (copy xs))
                                          f64.min
                                          f64.highest
                                          (zip [0, 1, 1, 0, 1, 3] [5, 4, 3, 2, 4, 0])
                                          xs))
           xs
  , agrees (\xs -> flatten (scatter_2d (replicate 2 (copy xs)) [(0, 1), (1, 1), (0, 2)] (take 3 xs))) xs
  , agrees (\xs ->
              hist (\(a, b) (c, d) -> (a + c, b + d))
                   (0, 0)
                   3
                   [0, 1, 0, 2, 1, 0]
                   (zip xs (map (* xs[0]) xs))
              |> map (\(a, b) -> a * b))
           xs
  , agrees (\xs -> spread 9 xs[2] [1, 3, 5, 4, 0, 8] xs) xs
  ]

-- Results of a size that only the values know lie inside.
-- ==
-- entry: sizes
-- input { [3.0, 1.0, 4.0, 1.0, 5.0, 9.0] } output { [true, true, true, true] }
entry sizes (xs: [6]f64) =
  [ agrees (\xs -> [f64.product (filter (> 2) xs)]) xs
  , agrees (\xs -> let (as, bs) = partition (> 3) xs in [f64.product as * f64.sum bs]) xs
  , agrees (\xs -> let (_, _, _, ys) = flatmap' (\x : []f64 -> replicate (i64.f64 x) (x * x)) xs in [f64.sum ys]) xs
  , agrees (\xs ->
              [ (loop (ys, n) = (xs, 6)
                 while n > 1 do
                   let half = n / 2
                   in (map2 (*) ys[:half] ys[half:2 * half], half)).0[0]
              ])
           xs
  ]

-- The value of a histogram of least elements has the sign of its zero, whichever element is first.
-- ==
-- entry: zeros
-- input { [0.0, 0.0] [-0.0, 1.0] } output { [true, false] [1.0, 1.0] }
entry zeros (bins: [2]f64) (xs: [2]f64) : ([2]bool, [2]f64) =
  let (ys, ts) =
    jvp2 (\bins -> reduce_by_index (copy bins) f64.min f64.inf [0i64, 1] xs) bins [1, 1]
  in (map (\y -> f64.to_bits y >> 63 == 1) ys, ts)
