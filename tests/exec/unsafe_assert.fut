-- An `assert` inside of `#[unsafe]` is none; elsewhere it is.
-- ==
-- input { -1 } output { -1 -2 [0, -1] }
entry main (x: i32) =
  let f y = #[unsafe] (assert (y > 0) y * 2)
  in (#[unsafe] assert false x, f x, #[unsafe] map (\i -> assert false (i * x)) [0, 1])

-- ==
-- entry: checked
-- input { -1 } error: assert
-- input { 1 } output { 3 }
def checking (x: i32) = assert (x > 0) x
entry checked (x: i32) = #[unsafe] checking x + assert (x > 1 || x == 1) x + x
