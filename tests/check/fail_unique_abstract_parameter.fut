-- And are only lent without a star.
-- ==
-- error: `x` is a parameter without `\*`
def f 't (g: *t -> i32) (x: t) : i32 = g x
def main (xs: *[]i32) = f (\(xs: *[]i32) -> xs[0]) xs
