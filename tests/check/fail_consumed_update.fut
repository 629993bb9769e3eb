-- An updated array is gone under its old name.
-- ==
-- error: `xs` is used after it was consumed.*H3015.*consumed here
def main (xs: *[]i32) : i32 =
  let ys = xs with [0] = 1
  in xs[0] + ys[0]
