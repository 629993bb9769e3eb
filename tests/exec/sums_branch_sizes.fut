-- A constructor alone in a branch is of the other branch's sum, but for the sizes.
-- ==
-- input { true 3i64 } output { [0i64,1i64,2i64] }
-- input { false 3i64 } output { [7i64] }
type opt 't = #some t | #none

def f b (x: i64) =
  if b then #some (iota x) else (#none : opt ([1]i64)) :> opt ([]i64)

def main b x =
  match f b x
  case #some arr -> arr
  case #none -> [7]
