-- Holes that are functions, and in patterns.
-- ==
-- input { 3i32 }
-- ==
-- input { 100i32 }
-- error: H7014
entry main (x: i32) = if x > 50 then ((??? : i32 -> i32 -> i32) x 2) + (let (a, b): (i32, [2]i32) = ??? in a + b[0]) else x
