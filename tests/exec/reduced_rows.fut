-- Reductions of reduced rows are one reduction, and nests that flat code reads are flat maps: on
-- empty and single rows, columns, parts, rows with values of their own, in loops.
-- ==
-- entry: sums
-- input { 3i64 5i64 }
-- input { 0i64 5i64 }
-- input { 4i64 0i64 }
-- input { 70i64 33i64 }
-- ==
-- entry: extremes
-- input { 3i64 5i64 }
-- input { 0i64 5i64 }
-- input { 33i64 1i64 }
-- ==
-- entry: steps
-- input { 6i64 7i64 }
-- input { 0i64 7i64 }
-- ==
-- entry: flat
-- input { 6i64 7i64 }
-- input { 1i64 0i64 }
-- input { 40i64 41i64 }
-- ==
-- entry: checked
-- input { 2i64 [1i64, 2i64] }
-- output { 10i64 }
-- input { 2i64 [1i64, 9i64] }
-- error: H7007

def table (n: i64) (m: i64) : [n][m]i32 = tabulate_2d n m (\i j -> i32.i64 ((i * 7 + j * 3) % 11) - 5)

entry sums (n: i64) (m: i64) =
  let xss = opaque (table n m)
  let yss = map (map (* 2)) xss
  in ( i32.sum (map i32.sum xss)
     , i32.product (map i32.product xss)
     , any (any (> 4)) xss
     , all (all (>= -5)) xss
     , or (map or (map2 (map2 (!=)) xss yss))
     , i32.sum (map i32.sum (transpose xss))
     , i32.sum (map i32.sum xss[:, m / 2:])
     , i32.sum (map i32.sum xss[:n / 2])
     , i32.sum (map2 (\xs i -> i32.sum (map (+ i32.i64 i) xs)) xss (iota n))
     , i64.sum (map i64.sum (map (map i64.i32) xss))
     )

entry extremes (n: i64) (m: i64) =
  let xss = map (map (\x -> if x == 3 then f32.nan else f32.i32 x * 0.5)) (opaque (table n m))
  let cube = map (map (\x -> map (* x) [1, 2, 3])) xss
  in ( f32.maximum (map f32.maximum xss)
     , f32.minimum (map f32.minimum xss)
     , f32.maximum (map f32.maximum (map (map f32.maximum) cube))
     , reduce f32.max 1 (map (reduce f32.max 1) xss)
     , f32.sum (map f32.sum (map (map (\x -> if f32.isnan x then 0 else x)) xss))
     )

entry steps (n: i64) (m: i64) =
  loop (xss, changes) = (opaque (table n m), 0i32)
  while any (any (> 0)) xss do
    let next = map (map (\x -> if x > 0 then x - 1 else x)) xss
    in (next, changes + i32.sum (map i32.sum (map2 (map2 (\a b -> i32.bool (a != b))) xss next)))

entry flat (n: i64) (m: i64) =
  let xss = opaque (table n m)
  let yss = map (map (\x -> x * x)) xss
  let zss = map (map (\x -> x % 3)) (transpose xss)
  let counts = reduce_by_index (replicate 5 0i32) (+) 0 (map i64.i32 (flatten (map (map (\x -> x % 5)) yss))) (flatten xss)
  in (yss, i32.sum (flatten yss), scan (+) 0 (flatten zss), filter (> 7) (flatten yss), counts)

-- A body that ends in a check.
entry checked (n: i64) (xs: []i64) =
  i64.sum (map (\x -> let y = x * 2 + n in assert (x < 9) y) xs)
