-- `false < true`, as operator, section, argument, and in polymorphic functions.
-- ==
-- input { [false, false, true, true] [false, true, false, true] }
-- output { [false, true, false, false] [true, true, false, true] [false, false, true, false]
--   [true, false, true, true] [true, true, false, false] [true, true, true, true] true }
def least 't (le: t -> t -> bool) (a: t) (b: t) = if a `le` b then a else b

entry main [n] (a: [n]bool) (b: [n]bool) =
  ( map2 (<) a b
  , map2 (<=) a b
  , map2 (\x y -> x > y) a b
  , map2 (>=) a b
  , map (< true) a
  , map (>= false) b
  , least (<=) a[3] b[3]
  )
