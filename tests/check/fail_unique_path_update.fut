-- A path into a record consumes what is at its end.
-- ==
-- error: `r` is used after it was consumed.*H3015
def main (xs: *[]i32) =
  let r = {a = xs}
  let s = r with a[0] = 1
  in (s, r)
