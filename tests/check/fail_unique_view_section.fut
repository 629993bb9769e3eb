-- A section has captured its array.
-- ==
-- error: `g` is used after it was consumed.*H3015
def main (xs: *[]i32) : []i32 =
  let g = (`take` xs)
  let xs[0] = 1
  in g 1
