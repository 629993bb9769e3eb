-- Consuming a view consumes the array.
-- ==
-- error: `xs` is used after it was consumed.*H3015.*as `ys`
def main (xs: *[]i32) : i32 =
  let ys = reverse xs
  let ys[0] = 9
  in xs[0] + ys[0]
