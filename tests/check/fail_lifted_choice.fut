-- What `if` gives may not be a function.
-- ==
-- error: `if` gives.*H3013
def choose '^a (b: bool) (x: a) (y: a) : a = if b then x else y
def main (x: i32) : i32 = choose true x x
