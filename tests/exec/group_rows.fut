-- Rows that lanes of a workgroup write, stored in the order of the array that is made of them, beside
-- the same without a workgroup; rows of invocations, and arrays that are wanted in both orders.

def cell [a] [b] (x: [a][b]i32) : [a][b][2]i32 =
  let y = tabulate_2d a b (\i j -> let v = x[i, j] in [v, v + 1, v * 2, v - 3])
  in tabulate_2d a b (\i k -> [y[i, k, 0] + y[i, b - 1 - k, 3], y[a - 1 - i, k, 1] * y[i, k, 2]])

def plain [a] [b] (x: [a][b]i32) : [2][a][b]i32 =
  let at i k r = if r == 0 then x[i, k] + x[i, b - 1 - k] - 3 else (x[a - 1 - i, k] + 1) * x[i, k] * 2
  in tabulate_3d 2 a b (\r i k -> at i k r)

def data (n: i64) (a: i64) (b: i64) : [n][a][b]i32 = tabulate_3d n a b (\i j k -> i32.i64 ((i * 37 + j * 11 + k * k) % 101))

-- ==
-- entry: groups
-- input { 3i64 4i64 32i64 } output { true }
-- input { 2i64 7i64 33i64 } output { true }
-- input { 1i64 1i64 1i64 } output { true }
-- input { 2i64 0i64 5i64 } output { true }
-- input { 0i64 3i64 5i64 } output { true }
-- input { 2i64 3i64 300i64 } output { true }
entry groups (n: i64) (a: i64) (b: i64) : bool =
  let xs = data n a b
  let zs = #[flattening(only_intra)] map cell xs
  in and (flatten (flatten_3d (map2 (map2 (map2 (map2 (==)))) (map (\z -> transpose (map transpose z)) zs) (map plain xs))))

-- ==
-- entry: rows
-- input { 5i64 7i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 0i64 3i64 } output { true }
-- input { 300i64 41i64 } output { true }
entry rows (n: i64) (m: i64) : bool =
  let xs = map (\z -> z[0]) (data n 1 m)
  let row x = [x, x + 1, x * 3]
  let across = map transpose (map (map row) xs)
  let turned = transpose (map (map row) xs)
  let both = map (map row) xs
  let same r k j v = v == (row xs[r, k])[j]
  in and (flatten_3d (tabulate_3d n m 3 (\r k j ->
                                           same r k j across[r, j, k] && same r k j turned[k, r, j] && same r k j both[r, k, j]
                                           && same r k j (transpose both)[k, r, j])))
