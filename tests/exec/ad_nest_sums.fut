-- Cotangents of matrices around maps of nests: sums over the cells, for each element of the matrix.
-- tolerance: exact

def dot a b = f64.sum (map2 (*) a b)

def squared [n] [m] [k] (xs: [n][m]f64) (ws: [k][m]f64) : f64 =
  f64.sum (map (\x -> f64.sum (map (\w -> dot x w * dot x w) ws)) xs)

-- ==
-- entry: product
-- input { [[1.0, 2.0], [3.0, -1.0], [0.0, 2.0]] [[1.0, 1.0], [2.0, 0.0]] }
-- output { [[18.0, 16.0], [40.0, -4.0]] }
-- input { empty([0][2]f64) [[1.0, 1.0], [2.0, 0.0]] } output { [[0.0, 0.0], [0.0, 0.0]] }
-- input { [[1.0, 2.0]] empty([0][2]f64) } output { empty([0][2]f64) }
-- input { empty([2][0]f64) empty([3][0]f64) } output { empty([3][0]f64) }
entry product [n] [m] [k] (xs: [n][m]f64) (ws: [k][m]f64) = vjp (squared xs) ws 1

-- By columns, with a branch and a division in the elements.
-- ==
-- entry: columns
-- input { [[1.0, 2.0], [3.0, -1.0], [0.0, 2.0]] [[1.0, 2.0, 4.0], [2.0, 8.0, -1.0]] }
-- output { [[-4.0, -1.0, -0.25], [-1.25, -0.078125, -5.0]] }
entry columns [n] [m] [k] (xs: [n][m]f64) (ws: [m][k]f64) =
  let one x w = f64.sum (map2 (\a b -> if a < 0 then -(a / b) else a / b) x w)
  let f ws = map (\x -> map (one x) (transpose ws)) xs
  in vjp f ws (replicate n (replicate k 1))

-- Two matrices and a tensor; the code of a level is shared by its elements.
-- ==
-- entry: tensor
-- input { [[1.0, 2.0], [3.0, 1.0]] [[[1.0, 0.0], [2.0, 1.0]]] [[1.0, 2.0]] }
-- output { [[[120.0, 70.0], [240.0, 140.0]]] [[120.0, 310.0]] }
entry tensor [n] [m] [k] [l] (xs: [n][m]f64) (ts: [k][l][m]f64) (vs: [k][l]f64) =
  let f (ts, vs) =
    map (\x -> map2 (\t v -> let s = f64.sum (map2 (\row u -> u * dot x row) t v) in s * s) ts vs) xs
  in vjp f (ts, vs) (replicate n (replicate k 1))

-- In steps, whose sums are one each; with rows that are counted.
-- ==
-- entry: steps
-- input { [[1.0, 2.0], [3.0, -1.0]] [[1.0, 1.0], [2.0, 0.0]] } output { [[513.0, 228.0], [1140.0, -114.0]] }
entry steps [n] [m] [k] (xs: [n][m]f64) (ws: [k][m]f64) =
  let f ws = loop s = 0 for i < 2 do s * s + squared (map (map (* f64.i64 (i + 1))) xs) ws / 2
  in vjp f ws 1

-- Second derivatives.
-- ==
-- entry: second
-- input { [[1.0, 2.0], [3.0, -1.0], [0.0, 2.0]] [[1.0, 1.0], [2.0, 0.0]] } output { [[18.0, 16.0], [18.0, 16.0]] }
entry second [n] [m] [k] (xs: [n][m]f64) (ws: [k][m]f64) =
  jvp (\ws -> vjp (squared xs) ws 1) ws (replicate k (replicate m 1))

-- All pairs, without a matrix of them.
-- ==
-- entry: pairs
-- input { [1.0, 2.0, 4.0] } output { [35.0, 49.0, 77.0] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry pairs [n] (ps: [n]f64) =
  vjp (\ps -> f64.sum (map (\p -> f64.sum (map (\q -> p * q * q) ps)) ps)) ps 1
