-- A record pattern takes the fields of a record.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main (xs: *[]i32) : i32 =
  let {a = ys} = {a = xs}
  let ys[0] = 1
  in xs[0] + ys[0]
