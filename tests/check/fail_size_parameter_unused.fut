-- A size parameter is the size of something, in definitions and in local functions.
-- ==
-- error: `n` is not the size of anything that `f` takes or gives.*H4002
def shown [n] (x: i32) : [n]i32 = replicate n x
def f [n] (x: i32) = x
