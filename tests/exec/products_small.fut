-- Products of few rows and few columns with long lines: slices of a chunk share a workgroup.
def data (n: i64) (m: i64) : [n][m]f32 =
  tabulate_2d n m (\i j -> f32.i64 ((i * 79 + j * 104729) % 16))

-- Each shape of tiles, lines along rows of memory or across them, whole vectors or not; fewer
-- elements than slices, one, none.
-- ==
-- entry: across
-- input { 16400i64 8i64 8i64 }
-- input { 9001i64 16i64 16i64 }
-- input { 5001i64 15i64 9i64 }
-- input { 4099i64 40i64 13i64 }
-- input { 4099i64 13i64 40i64 }
-- input { 4500i64 31i64 29i64 }
-- input { 2050i64 64i64 17i64 }
-- input { 30000i64 5i64 3i64 }
-- input { 130i64 6i64 6i64 }
-- input { 1i64 6i64 6i64 }
-- input { 0i64 6i64 6i64 }
-- input { 5000i64 0i64 6i64 }
entry across (k: i64) (n: i64) (m: i64) : [n][m]f32 =
  let a = data k n
  let b = data k m
  in map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) (transpose a)

-- ==
-- entry: along
-- input { 16400i64 8i64 8i64 }
-- input { 9001i64 16i64 15i64 }
-- input { 4099i64 40i64 13i64 }
-- input { 4500i64 31i64 29i64 }
-- input { 20003i64 2i64 7i64 }
entry along (k: i64) (n: i64) (m: i64) : [n][m]f32 =
  let a = data n k
  let b = data m k
  in map (\r -> map (\c -> f32.sum (map2 (*) r c)) b) a

-- An operator of three values that keeps the order of elements: a composition of affine functions,
-- and the last number; scalar code behind it.
def compose (a: i32, b: i32, i: i64) (c: i32, d: i32, j: i64) : (i32, i32, i64) =
  (a * c, b * c + d, if j < 0 then i else j)

-- ==
-- entry: in_order
-- input { 20000i64 7i64 5i64 }
-- input { 9001i64 14i64 16i64 }
-- input { 5003i64 20i64 40i64 }
entry in_order (k: i64) (n: i64) (m: i64) : ([n][m]i32, [n][m]i64) =
  let a = map (map i32.f32) (data k n)
  let b = map (map i32.f32) (data k m)
  let cell r c =
    let (x, y, i) = reduce compose (1, 0, -1) (map3 (\i p q -> (2 * p + 1, q, i)) (iota k) r c)
    in (x ^ (y * 3), i + 1)
  in map (\r -> map (cell r) (transpose b)) (transpose a) |> map unzip |> unzip

-- ==
-- entry: doubles
-- input { 9001i64 16i64 }
-- input { 20000i64 3i64 }
-- input { 5000i64 30i64 }
entry doubles (k: i64) (n: i64) : [n][n]f64 =
  let a = map (map f64.f32) (data k n)
  in map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose a)) (transpose a)

-- Batches of small products: a workgroup for each, or more.
-- ==
-- entry: batches
-- input { 40i64 300i64 9i64 }
-- input { 3i64 20000i64 17i64 }
-- input { 0i64 300i64 9i64 }
entry batches (b: i64) (k: i64) (n: i64) : [b][n][n]f32 =
  let as = map (\t -> map (map (+ f32.i64 (t % 3))) (data k n)) (iota b)
  in map (\a -> map (\r -> map (\c -> 1 + f32.sum (map2 (*) r c)) (transpose a)) (transpose a)) as
