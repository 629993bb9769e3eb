-- A size after `?` is one of the type.
-- ==
-- error: does not use the size `k`.*H4002
def f (x: i32): ?[k].i32 = x
def main (x: i32): i32 = f x
