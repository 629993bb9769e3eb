-- Nor do types.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main [n] (xs: *[n]i32) : i32 =
  let ys = (xs : [n]i32) with [0] = 1
  in (xs :> [n]i32)[0] + ys[0]
