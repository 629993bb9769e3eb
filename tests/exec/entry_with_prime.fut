-- The name of an entry may have a prime.
-- ==
-- entry: h'
-- input { 4 } output { 5 }
entry h' (x: i32) = x + 1
