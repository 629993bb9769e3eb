-- Products of matrices on several ranks: in blocks of rows where all of them are large, with the
-- bits of one rank; whole where one is small.
-- tolerance: 1e-3

def fill (n: i64) (m: i64) (k: i64) =
  tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * k) % 101) / 101 - 0.4f32)

def matmul [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\row -> map (\col -> f32.sum (map2 (*) row col)) (transpose b)) a

-- ==
-- entry: product
-- input { 400i64 17i64 340i64 } input { 387i64 20i64 345i64 } input { 100i64 17i64 60i64 } input { 0i64 3i64 5i64 }
entry product (n: i64) (m: i64) (p: i64) = matmul (fill n m 13) (fill m p 11)

-- The second product reads the first one by rows; the gradient of a layer sums over rows.
-- ==
-- entry: layers
-- input { 400i64 20i64 350i64 } input { 64i64 20i64 70i64 }
entry layers (n: i64) (m: i64) (p: i64) =
  let x = fill n m 13
  let y = map (map (\v -> f32.max 0 (v + 0.25f32))) (matmul x (fill m p 11))
  let z = matmul y (transpose (fill n p 5))
  in (map (map (* 0.125)) z, matmul (transpose x) y)

-- Distances of points, of which each cell takes one.
-- ==
-- entry: closest
-- input { 500i64 16i64 300i64 } input { 50i64 16i64 30i64 }
entry closest (n: i64) (m: i64) (p: i64) =
  let far x y = f32.sum (map2 (\u v -> (u - v) * (u - v)) x y)
  in map (\x -> f32.minimum (map (far x) (fill p m 11))) (fill n m 13)

-- A matrix that no step changes stays whole, the other one is cut for all steps.
-- ==
-- entry: steps
-- input { 2000i64 66i64 3i32 } input { 40i64 20i64 3i32 }
entry steps (n: i64) (m: i64) (count: i32) =
  let w = map (map (* 0.1f32)) (fill m m 11)
  in loop x = fill n m 13 for _i < count do map (map (\v -> v / (1 + f32.abs v))) (matmul x w)
