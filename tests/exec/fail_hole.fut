-- A hole fails where it is reached, and only then; of any type.
-- ==
-- input { 0i32 } output { 1i32 }
-- ==
-- input { 1i32 }
-- error: typed hole.*H7014
-- ==
-- input { 2i32 }
-- error: typed hole.*H7014
-- ==
-- input { 3i32 }
-- error: typed hole.*H7014
def many (n: i64) : [n]i32 = ???

entry main (k: i32) : i32 =
  match k
  case 0 -> 1
  case 1 -> ???
  case 2 -> i32.sum (many 3)
  case _ -> (??? : (i32, i32)).0
