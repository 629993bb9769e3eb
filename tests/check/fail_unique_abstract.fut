-- Values of type parameters alias.
-- ==
-- error: `x` is used after it was consumed.*H3015
def f 't (g: *t -> i32) (x: *t) : (i32, t) =
  let y = g x
  in (y, x)

def main (xs: *[]i32) = f (\(xs: *[]i32) -> xs[0]) xs
