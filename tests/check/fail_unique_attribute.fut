-- Attributes change nothing.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main (xs: *[]i32) : i32 =
  let ys = #[noinline] (xs with [0] = 1)
  in #[unsafe] xs[0] + ys[0]
