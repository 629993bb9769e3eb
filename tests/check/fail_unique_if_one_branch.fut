-- Consumed in one branch is consumed.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main (b: bool) (xs: *[]i32) : i32 =
  let ys = if b then xs with [0] = 1 else [1, 2, 3]
  in ys[0] + xs[0]
