-- A coerced constructor whose `[]` is any size takes that of the other branch.
-- ==
-- input { true 2i64 } output { 2i64 }
-- input { false 2i64 } output { -1i64 }
type option 't = #some t | #none
def below (keep: bool) (n: i64) = if keep then #some (iota n) else #none :> option ([]i64)

def main (keep: bool) (n: i64) : i64 =
  match below keep n
  case #some xs -> length xs
  case #none -> -1
