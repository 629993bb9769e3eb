-- An operator with a star consumes its operand.
-- ==
-- error: `xs` is used after it was consumed.*H3015
def (+<) (xs: *[]i32) (x: i32) : *[]i32 = xs with [0] = x

def main (xs: *[]i32) : i32 =
  let ys = xs +< 1
  in xs[0] + ys[0]
