-- A size that is written `[]` in a result is the value's own.
-- ==
-- error: nothing determines this size in the result of `f`.*H4002
def f (x: i32) : []i32 = rep x
