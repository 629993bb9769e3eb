-- One branch brings an array of a size of its own, the other none at all.
-- ==
-- entry: branches
-- input { [1, -2, 3, 4] } output { 8 }
-- input { [1] } output { -1 }
-- ==
-- entry: cases
-- input { 0 [1, -2, 3] } output { 2i64 }
-- input { 1 [1, -2, 3] } output { 3i64 }
-- input { 2 [1, -2, 3] } output { -1i64 }
type maybe 'a = #just a | #nothing

def positive (xs: []i32) : maybe ([]i32) =
  if length xs > 3 then #just (filter (> 0) xs) else #nothing

def selected (k: i32) (xs: []i32) : maybe ([]i32) =
  match k
  case 0 -> #just (filter (> 0) xs)
  case 1 -> #just xs
  case _ -> #nothing

entry branches (xs: []i32) = match positive xs case #just ys -> i32.sum ys case #nothing -> -1

entry cases (k: i32) (xs: []i32) =
  match selected k xs case #just ys -> length ys case #nothing -> -1
