-- Nor given back.
-- ==
-- error: the result of `F.f` may share the memory of the definition `P.xs`
module type T = {val xs : []i32}
module F (P: T) = {def f (_: i64) = P.xs}
def main (x: i32) = x
