-- `'a` is no function.
-- ==
-- error: argument 1 of `pair` holds a function of type `i32 -> i32`, but data is needed.*H3021
def pair 'a (x: a) = (x, x)
def main (x: i32) : i32 = (pair i32.abs).0 x
