-- The value of a branch aliases both.
-- ==
-- error: `b` is used after it was consumed.*H3015
def main (c: bool) (a: *[]i32) (b: *[]i32) : i32 =
  let x = if c then a[1:] else b[1:]
  let x[0] = 1
  in x[0] + b[0]
