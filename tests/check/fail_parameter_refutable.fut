-- A parameter takes every value.
-- ==
-- error: this pattern does not match `\(false, _\)`.*H3016
def f ((true, x): (bool, i32)) = x
def main (x: i32) : i32 = f (true, x)
