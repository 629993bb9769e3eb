-- The other way as well.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def set (xs: *[]i32) : *[]i32 = xs with [0] = 1

def main (xs: *[]i32) : i32 =
  let ys = set <| xs
  in xs[0] + ys[0]
