-- An entry's result has no size that no argument tells.
-- ==
-- error: nothing determines this size in the result of `main`.*H4002
def main (x: i32) = rep x
