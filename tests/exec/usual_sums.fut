-- Sums in branches that most cells of a table take: all but the diagonal, a triangle, and arms of
-- both kinds. Rows that exist in the arm alone stay there, as do sums that may fail.
-- tolerance: 1e-5
-- ==
-- entry: tables
-- input { 40i64 20i64 }
-- output { [-22057.0f32, -172.0f32, -6915.125f32, -3484.0f32, 93041.0f32] }
-- ==
-- entry: tables
-- input { 70i64 3i64 }
-- output { [-6446.0f32, -2097.0f32, -21586.375f32, -8120.0f32, 506754.0f32] }
-- ==
-- entry: tables
-- input { 0i64 5i64 }
-- output { [0.0f32, 0.0f32, 0.0f32, 0.0f32, 0.0f32] }
-- ==
-- entry: neighbours
-- input { 40i64 20i64 }
-- output { 29637.0f32 }
-- ==
-- entry: divided
-- input { 30i64 20i64 }
-- output { -4426i64 }
-- ==
-- entry: steps
-- input { 20i64 20i64 }
-- output { -1.0399462e+14f32 }

def value (i: i64) (k: i64) : f32 = f32.i64 ((i * 7 + k * 3) % 11) - 5
def dot [d] (x: [d]f32) (y: [d]f32) : f32 = f32.sum (map2 (*) x y)

def checksum [n] [m] (xss: [n][m]f32) : f32 =
  f32.sum (flatten (tabulate_2d n m (\i j -> xss[i, j] * f32.i64 (1 + (i * 3 + j) % 5))))

entry tables (n: i64) (d: i64) : [5]f32 =
  let (xs, ys) = (tabulate_2d n d value, tabulate_2d n d (\i k -> value k i))
  in [ checksum (tabulate_2d n n (\i j -> if i == j then 1 else dot xs[i] xs[j]))
     , checksum (tabulate_2d n n (\i j -> if i != j then dot xs[i] ys[j] else 2))
     , checksum (tabulate_2d n n (\i j -> if j <= i then dot xs[i] ys[j] / 8 else -3))
     , checksum (tabulate_2d n n (\i j -> if j + 1 < i then dot xs[i] ys[j] else dot ys[i] xs[j] - 1))
     , checksum (tabulate_2d n n (\i j -> if i * j == 6 then dot xs[i] ys[j] else f32.i64 j))
     ]

-- The row before the first does not exist.
entry neighbours (n: i64) (d: i64) : f32 =
  let xs = tabulate_2d n d value
  in checksum (tabulate_2d n n (\i j -> if i != 0 then dot xs[i - 1] xs[j] else 7))
     + checksum (tabulate_2d n n (\i j -> if i < j then dot xs[i + 1] xs[j] else 7))

-- The sum fails where the arm is not taken.
entry divided (n: i64) (d: i64) : i64 =
  let xs = tabulate_2d n d (\i k -> (i + k) % 5)
  let sum i j = i64.sum (map2 (\a b -> a * b / (i - j)) xs[i] xs[j])
  in i64.sum (flatten (tabulate_2d n n (\i j -> if i == j then 1 else sum i j)))

-- A lower triangle, step by step.
entry steps (n: i64) (d: i64) : f32 =
  let xs = tabulate_2d n d value
  in checksum (loop a = xs
               for _k < 3i64 do
                 let g = tabulate_2d n n (\i j -> if i == j then 1 else dot a[i] a[j] / 100)
                 in tabulate_2d n d (\i k -> if i > k then dot g[i] (map (\r -> r[k]) a) else a[i, k]))
