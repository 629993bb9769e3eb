-- Functions of the prelude that take functions.
-- tolerance: exact
-- ==
-- input { 3i32 }
-- output { 24i32 [4i32, 5i32] 7i32 }
entry main (x: i32) : (i32, [2]i32, i32) =
  (iterate 3 (* 2) x, map (\(f: i32) -> f + x) [1, 2], (const 7i32 >-> id) x)
