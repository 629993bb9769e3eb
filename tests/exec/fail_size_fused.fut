-- An array that is never in memory has to have a number of bytes all the same.
-- ==
-- input { 4611686018427387904i64 }
-- error: H7012
-- input { 3i64 }
-- output { 0f64 }
entry main (n: i64) = let xs = map f64.i64 (iota n) in xs[0]
