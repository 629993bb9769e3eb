-- A constructor holds its payload.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main (xs: *[]i32) : i32 =
  let s: #some ([]i32) | #none = #some xs
  let y = match s case #some ys -> (ys with [0] = 1)[0] case #none -> 0
  in y + xs[0]
