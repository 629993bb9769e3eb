-- A match whose cases have different sizes, and a loop that carries a sum.
-- tolerance: exact
-- ==
-- input { 0i32 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64] 6i64 }
-- ==
-- input { 1i32 5i64 } output { [7i64] 6i64 }
-- ==
-- input { 2i32 5i64 } output { empty([0]i64) 6i64 }
def sizes (k: i32) (n: i64) : []i64 =
  match k
  case 0 -> iota n
  case 1 -> [7]
  case _ -> []

type step = #start | #at i64

entry main (k: i32) (n: i64) =
  let r =
    loop (s: step) = #start
    for i < 7 do
      match s
      case #start -> #at 0
      case #at (j: i64) -> #at (j + 1)
  in (sizes k n, match r case #at j -> j case #start -> -1)
