-- Values without content: only the sizes of their arrays exist.
-- tolerance: exact
-- ==
-- input { 4i64 }
-- output { 4i64 [0i64, 1i64, 2i64, 3i64] }
entry main (n: i64) : (i64, [n]i64) =
  let units: [n]() = replicate n ()
  in (length units, map2 (\() i -> i) units (iota n))
