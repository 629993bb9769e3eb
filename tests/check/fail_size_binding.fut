-- Sizes that bind names are equal where they are written alike.
-- ==
-- error: is not `\(\\k -> match k case 0 -> 2 case _ -> k\) k`.*H4001
def f (k: i64) (xs: [match k case 0 -> 1 case _ -> k]i32) : [match k case 0 -> 2 case _ -> k]i32 =
  map (+ 1) xs
