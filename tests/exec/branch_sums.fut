-- Sums in the branches of cells: a reduction of all cells in front of the branch.

def table (n: i64) (m: i64) : [n][m]i32 =
  tabulate_2d n m (\i j -> i32.i64 ((i * 7 + j * 13 + i * j) % 64) - 20)

-- ==
-- entry: triangle nested both tuples shifted loaded inner
-- input { 0i64 5i64 }
-- input { 1i64 0i64 }
-- input { 3i64 17i64 }
-- input { 40i64 33i64 }
-- input { 5i64 700i64 }
-- input { 2000i64 18i64 }

-- Half of the cells sum.
entry triangle (n: i64) (m: i64) : [n]i32 =
  map2 (\i row -> if i < n / 2 then 0 else i32.sum (map (* 3) row) % 1000) (iota n) (table n m)

-- A branch in a branch.
entry nested (n: i64) (m: i64) : [n]i32 =
  let t = table n m
  in map (\i ->
            if i % 3 == 0
            then -1
            else if i == 1 then 7 else (i32.sum (map2 (*) t[i] t[n - 1]) + 1) / (1 + i32.i64 i))
         (iota n)

-- Other sums in both arms, of a column in one.
entry both (n: i64) (m: i64) : [n]f64 =
  let t = table n m
  in map (\i ->
            if m > 0 && t[i, 0] > 0
            then f64.i32 (i32.sum t[i]) / 2
            else f64.i32 (i32.maximum (map (\r -> if m > 0 then r[0] else 1) t)))
         (iota n)

-- A pair, by an operator that does not commute.
entry tuples (n: i64) (m: i64) : [n](i32, i32) =
  map (\row ->
         if length row > 20 && row[3] % 2 == 0
         then let first (a, i) (b, j): (i32, i32) = if b > a then (b, j) else (a, i)
              in reduce first (i32.lowest, -1) (zip row (map i32.i64 (iota m)))
         else (0, i32.i64 m))
      (table n m)

-- Rows that exist where the branch is taken.
entry shifted (n: i64) (m: i64) : [n]i32 =
  let t = table n m
  in map (\i -> if i > 0 then i32.sum (map2 (-) t[i - 1] t[i]) else 5) (iota n)

-- An element that the arm reads.
entry loaded (n: i64) (m: i64) : [n]i32 =
  let t = table n m
  in map (\i -> if i > 1 && m > 0 then let x = t[i - 2, m - 1] in i32.sum (map (* x) t[i]) else 0)
         (iota n)

-- The places of the row come from a map of the arm.
entry inner (n: i64) (m: i64) : [n]i32 =
  let t = table n m
  in map (\i ->
            if i % 2 == 1
            then let row = scan (+) 0 t[i] in i32.sum (map2 (*) row (reverse row)) % 997
            else 1)
         (iota n)
