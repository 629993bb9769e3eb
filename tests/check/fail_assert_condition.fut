-- The condition of an assertion is a boolean.
-- ==
-- error: the condition of `assert` has type `i32`, but `bool` is needed.*H3002
def main (x: i32) = assert x x
