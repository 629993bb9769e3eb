-- `'a` is no function.
-- ==
-- error: holds a function of type.*H3021
def pair 'a (x: a) = (x, x)
def main (x: i32) : i32 = (pair i32.abs).0 x
