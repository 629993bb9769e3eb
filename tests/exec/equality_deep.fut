-- Equality of arrays of arrays, of tuples, and logic as function values.
-- tolerance: exact
-- ==
-- entry: eq
-- input { [[1,2],[3,4]] [[1,2],[3,4]] }
-- output { true false true true }
-- input { [[1,2],[3,4]] [[1,2],[3,5]] }
-- output { false true false false }
-- tolerance: exact
-- ==
-- entry: logic
-- input { [true,false,true] }
-- output { false true [true, false, true] [true, true, true] }

entry eq [n] [m] (a: [n][m]i32) (b: [n][m]i32) = (a == b, a != b, zip a b == zip b a, (a, 1f32) == (b, 1f32))
entry logic [n] (a: [n]bool) = (reduce (&&) true a, reduce (||) false a, map (\x -> x && !x || x) a, map2 (==) a a)
