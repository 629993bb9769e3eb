-- Tuples, nested patterns, wildcards, projection.
-- tolerance: exact
-- ==
-- input { 3i32 4i32 }
-- output { 7i32 12i32 -1i32 5i32 }
def both (p: (i32, i32)) : (i32, (i32, i32)) =
  let (a, b) = p
  in (a + b, (a * b, a - b))

entry main (x: i32) (y: i32) : (i32, i32, i32, i32) =
  let (s, (p, d)) = both (x, y)
  let (_, t) = (1i32, (x, 5i32))
  in (s, p, d, t.1)
