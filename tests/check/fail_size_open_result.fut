-- Neither arguments nor annotation tell how long the result is.
-- ==
-- error: nothing determines this size in the result of `f`.*H4002
def f (x: i32) = rep x
def main (x: i32) : [3]i32 = f x
