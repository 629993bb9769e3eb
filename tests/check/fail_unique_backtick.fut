-- So does a name in backticks.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def set (xs: *[]i32) (x: i32) : *[]i32 = xs with [0] = x

def main (xs: *[]i32) : i32 =
  let ys = xs `set` 1
  in xs[0] + ys[0]
