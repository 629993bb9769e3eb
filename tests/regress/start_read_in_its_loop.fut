-- Arrays that start a loop twice, or that its steps read as well, were overwritten by the loop's maps
-- on the CPU, and in cells of kernels.
-- ==
-- entry: read
-- input { 4i64 } output { [40i64, 320i64, 600i64, 880i64] }
-- input { 0i64 } output { empty([0]i64) }
-- ==
-- entry: gathered
-- input { 4i64 } output { [187i64, 271i64, 691i64, 775i64] }
-- ==
-- entry: twice
-- input { 4i64 } output { [37i64, 272i64, 507i64, 742i64] [-17i64, -124i64, -231i64, -338i64] }
-- ==
-- entry: rows
-- input { 2i64 } output { [[37i64, 74i64], [296i64, 333i64]] [[-17i64, -34i64], [-136i64, -153i64]] }
-- ==
-- entry: cells
-- input { 3i64 } output { [7620i64, 7932i64, 8244i64] }
def made (n: i64) = map (\i -> i * 7 + 1) (iota n)

entry read (n: i64) = let d = made n in loop p = d for _i < 3i32 do map2 (\x y -> x * 3 + y) p d

entry gathered (n: i64) =
  let d = made n
  in loop p = d for _i < 3i32 do map (\x -> x * 3 + d[x % n]) p

entry twice (n: i64) =
  let d = made n
  in loop (p, q) = (d, d)
     for _i < 3i32 do
       (map3 (\x y i -> x * 3 + y - 2 * i) p q (iota n), map2 (\x y -> x * 2 - y) q p)

entry rows (n: i64) =
  let d = tabulate_2d n 2 (\i j -> i * 7 + j + 1)
  in loop (p, q) = (d, d)
     for _i < 3i32 do
       (map2 (map2 (\x y -> x * 3 + y)) p q, map2 (map2 (\x y -> x * 2 - y)) q p)

entry cells (n: i64) =
  map (\k ->
         let d = map (\i -> i * 7 + k) (iota 8)
         let (p, q) =
           loop (p, q) = (d, d)
           for _i < 3i32 do
             (map2 (\x y -> x * 3 + y) p q, map2 (\x i -> x + i - 5) q (iota 8))
         in i64.sum (map2 (-) p q))
      (iota n)
