-- reduce and reduce_comm: neutral element on empty, order kept for a function that does not commute.
-- tolerance: exact
-- ==
-- input { [3i32, 1i32, 4i32, 1i32, 5i32] }
-- output { 14i32 60i32 5i32 1i32 31415i32 14i32 }
-- ==
-- input { empty([0]i32) }
-- output { 0i32 1i32 -2147483648i32 2147483647i32 0i32 0i32 }
entry main [n] (a: [n]i32) : (i32, i32, i32, i32, i32, i32) =
  ( reduce (+) 0 a
  , reduce (*) 1 a
  , reduce i32.max i32.lowest a
  , reduce i32.min i32.highest a
  , (reduce (\(x, p) (y, q) -> (x * q + y, p * q)) (0, 1) (map (\x -> (x, 10)) a)).0
  , reduce_comm (+) 0 a
  )
