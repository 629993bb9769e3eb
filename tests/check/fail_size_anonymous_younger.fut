-- The `[]` of a parameter may be a size that is known before it, not one that comes later.
-- ==
-- error: H4001

def f (ys: []i32) =
  let g (n: i64) (xs: [n]i32) = zip xs ys
  in g
