-- Code behind the reductions of a cell runs in their kernel: short and long segments, several
-- results, columns, products, reductions one behind the other.

-- ==
-- entry: roots
-- script input { matrix 5i64 7i64 } auto output
-- script input { matrix 3i64 70000i64 } auto output
-- script input { matrix 3000i64 2i64 } auto output
-- script input { matrix 0i64 7i64 } auto output
-- script input { matrix 4i64 0i64 } auto output
entry roots [n] [m] (xss: [n][m]f64) = map (\r -> f64.sqrt (f64.maximum r)) xss

-- ==
-- entry: averages
-- script input { whole 40i64 33i64 } auto output
-- script input { whole 3i64 5000i64 } auto output
entry averages [n] [m] (xss: [n][m]i32) = map (\r -> (i32.sum r / i32.i64 (m + 1), r[0] - 1)) xss

-- ==
-- entry: same_and_other
-- script input { whole 40i64 33i64 } auto output
-- script input { whole 2i64 70000i64 } auto output
entry same_and_other [n] [m] (xss: [n][m]i32) = map (\r -> let s = i32.sum r in (s, s, 5i32, r[0] + s)) xss

-- ==
-- entry: of_columns
-- script input { whole 40i64 33i64 } auto output
-- script input { whole 5000i64 3i64 } auto output
entry of_columns [n] [m] (xss: [n][m]i32) = map (\c -> 2 * i32.sum c + 1) (transpose xss)

-- ==
-- entry: in_turn
-- script input { whole 70i64 300i64 } auto output
-- script input { whole 3i64 9000i64 } auto output
entry in_turn [n] [m] (xss: [n][m]i32) =
  map (\r ->
         let s = i32.sum r
         let t = i32.sum (map (\x -> x * s) r)
         in if t > 10 then t else s - t)
      xss

-- ==
-- entry: activated
-- script input { operands 70i64 30i64 65i64 } auto output
-- script input { operands 128i64 64i64 128i64 } auto output
-- script input { operands 40i64 5000i64 40i64 } auto output
-- script input { operands 33i64 3i64 4i64 } auto output
entry activated [n] [m] [p] (a: [n][m]i32) (b: [m][p]i32) (c: [p]i32) =
  map (\ar -> map2 (\bc x -> i32.max 0 (i32.sum (map2 (*) ar bc) + x)) (transpose b) c) a

-- ==
-- entry: scaled
-- script input { operands 64i64 64i64 64i64 } auto output
-- script input { operands 130i64 40i64 66i64 } auto output
entry scaled [n] [m] [p] (a: [n][m]i32) (b: [m][p]i32) (c: [p]i32) : [n][p]i64 =
  map2 (\i ar -> map3 (\j bc x -> 2 * i64.i32 (i32.sum (map2 (*) ar bc)) + i64.i32 x * i - j) (iota p) (transpose b) c)
       (iota n)
       a

entry matrix (n: i64) (m: i64) = tabulate_2d n m (\i j -> f64.i64 ((i * 7 + j * 3) % 11))
entry whole (n: i64) (m: i64) = tabulate_2d n m (\i j -> i32.i64 ((i * 7 + j * 3) % 11))

entry operands (n: i64) (m: i64) (p: i64) =
  (whole n m, tabulate_2d m p (\i j -> i32.i64 ((i * 5 + j * 3) % 7 - 3)), map i32.i64 (iota p))
