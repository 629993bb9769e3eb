-- A polymorphic result may be the argument.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main (xs: *[]i32) : i32 =
  let ys = id xs
  let ys[0] = 1
  in xs[0] + ys[0]
