-- A size after `?` is one of the type.
-- ==
-- error: has no array that shows the size `k`.*H4002
def f (x: i32) : ?[k].i32 = x
def main (x: i32) : i32 = f x
