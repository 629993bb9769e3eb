-- Consumed in one case is consumed.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main (k: i32) (xs: *[]i32) : i32 =
  let y = match k case 0 -> (xs with [0] = 1)[0] case _ -> 2
  in y + xs[0]
