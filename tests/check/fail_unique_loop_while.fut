-- A condition uses what the step has not consumed yet; the value after it is new.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main (xs: *[]i32) : i32 =
  let ys = loop ys = xs while ys[0] < 10 do ys with [0] = ys[0] + 1
  in ys[0] + xs[0]
