-- `const` gives its first argument.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main (xs: *[]i32) : i32 =
  let ys = const xs 1i32
  let ys[0] = 1
  in xs[0] + ys[0]
