-- Products whose elements read scalars of their row, their column or their cell, at the edges of tiles.
-- ==
-- entry: of_rows of_columns of_cells of_indices of_batches
-- input { 1i64 64i64 9i64 }
-- input { 33i64 65i64 0i64 }
-- input { 65i64 33i64 16i64 }
-- input { 63i64 130i64 37i64 }
-- input { 129i64 4i64 70i64 }
-- input { 3i64 257i64 70i64 }

-- Running sums are arrays: no element makes them again.
def made (n: i64) : [n]i32 = map (\x -> x % 11 - 5) (scan (+) 0 (map i32.i64 (iota n)))

def made_2d (n: i64) (m: i64) : [n][m]i32 =
  map (\x -> map (% 13) (scan (+) 0 (map (\i -> i32.i64 i - x) (iota m)))) (made n)

entry of_rows (n: i64) (p: i64) (m: i64) : [n][p]i32 =
  let bs = made_2d p m
  let cell k a b = i32.sum (map2 (\x y -> x * (y - k)) a b)
  in map2 (\k a -> map (cell k a) bs) (made n) (made_2d n m)

entry of_columns (n: i64) (p: i64) (m: i64) : [n][p]i32 =
  let (ks, bs) = (made p, made_2d p m)
  let cell a k b = i32.maximum (map2 (\x y -> (x - k) * y) a b)
  in map (\a -> map2 (cell a) ks bs) (made_2d n m)

-- Two values of a cell, one of them in 64 bits, and two results.
entry of_cells (n: i64) (p: i64) (m: i64) : ([n][p]i32, [n][p]i64) =
  let bs = made_2d p m
  let cell c a b =
    let d = i64.i32 c * 3
    in (i32.sum (map2 (\x y -> (y - c) * x) a b), i64.sum (map2 (\x y -> i64.i32 (x + y) * d) a b))
  let rows = map2 (\cs a -> map2 (\c b -> cell c a b) cs bs) (made_2d n p) (made_2d n m)
  in (map (map (.0)) rows, map (map (.1)) rows)

entry of_indices (n: i64) (p: i64) (m: i64) : [n][p]f32 =
  let bs = made_2d p m
  let cell i j a b =
    let far = f32.i64 ((i - j) % 5)
    in f32.sum (map2 (\x y -> f32.i32 x * (f32.i32 y + far)) a b)
  in map2 (\i a -> map2 (\j b -> cell i j a b) (iota p) bs) (iota n) (made_2d n m)

-- A batch's own value, and a row's.
entry of_batches (n: i64) (p: i64) (m: i64) : [3][n][p]i32 =
  let (rs, bs, as) = (made n, made_2d p m, made_2d n m)
  let cell k r a b = i32.sum (map2 (\x y -> (x - k) * (y - r)) a b)
  in map2 (\k as -> map2 (\r a -> map (cell k r a) bs) rs as) (made 3) (replicate 3 as)
