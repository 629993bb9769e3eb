-- map to map4, over scalars, rows and tuples.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32] [10i32, 20i32] [100i32, 200i32] }
-- output { [2i32, 4i32] [11i32, 22i32] [111i32, 222i32] [112i32, 224i32] [[1i32, 10i32], [2i32, 20i32]] }
entry main [n] (a: [n]i32) (b: [n]i32) (c: [n]i32) =
  ( map (\x -> x * 2) a
  , map2 (+) a b
  , map3 (\x y z -> x + y + z) a b c
  , map4 (\x y z w -> x + y + z + w) a b c a
  , map2 (\x y -> [x, y]) a b
  )
