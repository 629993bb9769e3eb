-- Sizes in types are simple expressions.
-- ==
-- error: a size is made of constants.*H4002
def main (n: i64) (xs: [n / 2]i32): i32 = xs[0]
