-- What a module is given is not consumed.
-- ==
-- error: `P.xs` is a definition, which this would consume
module type T = {val xs : []i32}
module F (P: T) = {def f (x: i64) = P.xs with [x] = 1}
def main (x: i32) = x
