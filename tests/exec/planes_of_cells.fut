-- Chains of products of small matrices in each cell, by invocations and by workgroups.
def product [n] [m] [p] (a: [n][m]i32) (b: [m][p]i32) : [n][p]i32 =
  map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose b)) a

def matrix (n: i64) (s: i64) : [n][n]i32 =
  tabulate_2d n n (\i j -> i32.i64 ((i * 7 + j * 3 + s) % 11 - 5))

-- ==
-- entry: planes
-- input { 0i64 } output { empty([0]i32) }
-- input { 1i64 } output { [-1795i32] }
-- input { 40i64 }
entry planes (n: i64) =
  let d = matrix 8 1
  in tabulate n (\k ->
                   let y = product (product d (matrix 8 k)) (transpose d)
                   in i32.sum (map i32.sum y) + y[0, 7] * 3)

-- ==
-- entry: total
-- input { 0i64 } output { 0i32 }
-- input { 40i64 }
entry total (n: i64) =
  let d = matrix 6 1
  in i32.sum (tabulate n (\k ->
                            let y = product (product d (matrix 6 k)) (transpose d)
                            in i32.sum (map (\i -> y[i, i]) (iota 6))))

-- ==
-- entry: rows
-- input { 3i64 5i64 }
-- input { 0i64 5i64 }
entry rows (h: i64) (w: i64) =
  let image = tabulate_2d (h * 8) (w * 8) (\y x -> i32.i64 (y * 31 + x * 7))
  in tabulate_2d h w (\by bx -> tabulate_2d 8 8 (\y x -> image[by * 8 + y, bx * 8 + x]))

-- ==
-- entry: table
-- input { 5i64 } output { [[1i32, 4, 7, 2, 5], [1, 2, 1, 2, 1]] }
entry table (n: i64) =
  let t = [[1i32, 2, 3], [4, 5, 6], [7, 8, 9]]
  let u = [[1i32, 9, 9], [2, 9, 9]]
  in [tabulate n (\i -> t[i % 3, i / 3 % 3]), tabulate n (\i -> u[i % 2, 0])]
