-- The sizes of an abbreviation are written out where it is applied.
-- ==
-- error: written out, a size of the type `t4` has too many terms.*H2002
type t0 [n] [m] = [n * m]i32
type t1 [n] [m] = t0 [n + m] [n * m]
type t2 [n] [m] = t1 [n + m] [n * m]
type t3 [n] [m] = t2 [n + m] [n * m]
type t4 [n] [m] = t3 [n + m] [n * m]
type t5 [n] [m] = t4 [n + m] [n * m]
def f (n: i64) (m: i64) (xs: t5 [n] [m]) = length xs
