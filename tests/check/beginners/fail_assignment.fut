-- Values do not change.
-- ==
-- error: found .=.*help: a name for a value is .let x = 1 in x \+ 2., an array with another element
def main (xs: *[]i32) = xs[0] = 1
