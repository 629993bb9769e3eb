-- `if` as an expression; only the chosen branch runs.
-- tolerance: exact
-- ==
-- input { [-5i32, 0i32, 5i32] }
-- output { [-1i32, 0i32, 1i32] [0i32, 0i32, 20i32] }
def sign (x: i32) : i32 = if x < 0 then -1 else if x > 0 then 1 else 0

entry main [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  (map sign xs, map (\x -> if x > 0 then 100 / x else 0) xs)
