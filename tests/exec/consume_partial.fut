-- A partial application may consume what it holds; each call works on a copy of its own.
-- ==
-- input { 3i64 } output { [2i64, 1i64, 2i64] [5i64, 1i64, 2i64] [7i64, 1i64, 2i64] [8i64, 1i64, 2i64] }
-- ==
-- entry: other
-- input { 2i64 } output { [4i64, 1i64] [5i64, 1i64] [6i64, 1i64] [7i64, 1i64] }
def g (x: *[]i64) (y: i64) : *[]i64 = x with [0] = y
def (|+|) (x: *[]i64) (y: i64) : *[]i64 = g x y

entry main (n: i64) =
  let h = g (iota n)
  let k = g (copy (iota n))
  let a = h 2
  let (b, c) = (k 5, k 7)
  in (a, b, c, match g (iota n) case f -> f 8)

entry other (n: i64) =
  let f = (iota n |+|)
  let (a, b) = (f 4, f 5)
  let held = {f = g (iota n)}
  in (a, b, held.f 6, held.f 7)
