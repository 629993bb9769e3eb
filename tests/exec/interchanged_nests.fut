-- Sums of columns of mapped rows: what makes the rows goes along the columns.
def table (n: i64) (m: i64) : [n][m]i32 = tabulate_2d n m (\i j -> i32.i64 ((i * 31 + j * 7) % 13) - 5)

-- ==
-- entry: sums
-- input { 0i64 3i64 }
-- input { 4i64 0i64 }
-- input { 5i64 3i64 }
-- input { 300i64 70i64 }
entry sums (n: i64) (m: i64) : ([m]i32, [m]i32, [m]i32) =
  let xss = table n m
  let means = map (/ i32.i64 (n + 1)) (reduce (map2 (+)) (replicate m 0) xss)
  let ws = map i32.i64 (iota n)
  in ( reduce (map2 (+)) (replicate m 0) (map (map (\x -> x * x)) xss)
     , reduce (map2 (+)) (replicate m 0) (map (map2 (\mu x -> (x - mu) * (x - mu)) means) xss)
     , reduce (map2 i32.max) (replicate m i32.lowest) (map2 (\w xs -> map (\x -> x * (1 - w)) xs) ws xss)
     )

-- Two arrays of one nest; one that is read as it is, too.
-- ==
-- entry: pairs
-- input { 1i64 1i64 }
-- input { 40i64 33i64 }
entry pairs (n: i64) (m: i64) : ([m]i32, [m]i32, [n][m]i32, [m]i32) =
  let (yss, zss) = unzip (map unzip (map (map (\x -> (x + 1, x * 2))) (table n m)))
  let kept = map (map (\x -> if x > 3 then 0 else x)) (table n m)
  in ( map i32.sum (transpose yss)
     , map (\c -> i32.maximum (map (+ 2) c)) (transpose zss)
     , kept
     , map i32.sum (transpose kept)
     )

-- Scans of columns, planes, and a step of a loop.
-- ==
-- entry: others
-- input { 3i64 4i64 2i32 }
-- input { 30i64 40i64 3i32 }
entry others (n: i64) (m: i64) (steps: i32) : ([n][m]i32, [m][n]i32, [m]i32) =
  let xss = table n m
  let cube = tabulate_3d 3 m n (\i j k -> i32.i64 ((i * 5 + j * 3 + k) % 11))
  in ( transpose (map (scan (+) 0) (transpose (map (map (* 3)) xss)))
     , reduce (map2 (map2 (+))) (replicate m (replicate n 0)) (map (map (map (\x -> x * x))) cube)
     , loop v = replicate m 1
       for _s < steps do
         map (% 101) (reduce (map2 (+)) (replicate m 0) (map (\r -> map2 (*) v r) xss))
     )

-- ==
-- entry: fails
-- input { 3i64 4i64 }
-- error: division by zero
entry fails (n: i64) (m: i64) : [m]i32 =
  reduce (map2 (+)) (replicate m 0) (map (map (\x -> 10 / x)) (tabulate_2d n m (\i j -> i32.i64 (i + j))))
