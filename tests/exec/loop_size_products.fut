-- Branches in a loop over flat matrices have one size: the factors of their products are the same.
-- ==
-- entry: power
-- input { [[1, 2], [3, 4]] 3 } output { [37, 54, 81, 118] }
-- input { [[1, 2], [3, 4]] 0 } output { [1, 0, 0, 1] }
-- ==
-- entry: sums
-- input { [1, 2] 3 } output { [1, 2, 1] }

type matrix [n] [m] = {data: [n * m]i32, sides: ([n](), [m]())}

def from [n] [m] (x: [n][m]i32) : matrix [n] [m] =
  {data = flatten x, sides = (replicate n (), replicate m ())}

def product [n] [m] [p] (a: matrix [n] [m]) (b: matrix [m] [p]) : matrix [n] [p] =
  let columns = transpose (unflatten b.data)
  in from (map (\row -> map (\column -> i32.sum (map2 (*) row column)) columns) (unflatten a.data))

def pow [n] (one: matrix [n] [n]) (x: matrix [n] [n]) (k: i32) =
  (loop (acc, b, k) = (one, x, k)
   while k > 0 do
     (if k % 2 == 1 then product acc b else acc, product b b, k / 2)).0

entry power [n] (x: [n][n]i32) (k: i32) =
  (pow (from (tabulate_2d n n (\i j -> i32.bool (i == j)))) (from x) k).data

-- Sums of which one grows stay apart.
entry sums [n] (x: [n]i32) (k: i32) =
  loop xs = x for i < k do if i == 1 then xs ++ [1] else xs
