-- A result without a star may be the argument.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def f (xs: []i32) : []i32 = copy xs

def main (xs: *[]i32) : i32 =
  let ys = f xs
  let ys[0] = 1
  in xs[0] + ys[0]
