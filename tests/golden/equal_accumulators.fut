-- Components of an operator that are equal by induction are scanned and summed once. Those of other
-- neutral elements are not.
entry main (xs: []i32) (ys: []i32) =
  let op (a, b, c, d) (p, q, r, s) = (a * p, b * p + q, c * r, s + r * d)
  in unzip4 (scan op (1, 0, 1, 0) (map2 (\x y -> (x, y, x, y)) xs ys))

entry summed (xs: []i32) =
  let op (a, b, c) (p, q, r) = (i32.max a p, i32.max b q, i32.max r c)
  in reduce op (i32.lowest, 0, 0) (map (\x -> (x, x, x)) xs)
