-- What a pattern takes from a sum shares with it.
-- ==
-- error: `s` is used after it was consumed.*H3015
def first [n] (s: #some ([n]i32) | #none) : i32 = match s case #some xs -> xs[0] case #none -> 0

def main (xs: *[]i32) : i32 =
  let s: #some ([]i32) | #none = #some xs
  let y = match s case #some ys -> (ys with [0] = 1)[0] case #none -> 0
  in y + first s
