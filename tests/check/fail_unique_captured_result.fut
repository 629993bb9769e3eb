-- What a function returns may be what it has captured.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def main (xs: *[]i32) : i32 =
  let get (_: i32) = xs
  let ys = get 1
  let ys[0] = 2
  in xs[0] + ys[0]
