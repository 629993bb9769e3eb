-- `==` on tuples and arrays; -0 equals 0, a NaN nothing.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32] [1i32, 2i32] [1i32, 3i32] }
-- output { true false false true true }
-- ==
-- input { empty([0]i32) empty([0]i32) empty([0]i32) }
-- output { true true true true true }
-- ==
-- entry: floats
-- input { [0.0f32, 1.0f32] [-0.0f32, 1.0f32] [f32.nan, 1.0f32] }
-- output { true false true }
entry main [n] (a: [n]i32) (b: [n]i32) (c: [n]i32) : (bool, bool, bool, bool, bool) =
  (a == b, a == c, (a, 1i32) == (c, 1i32), (a, 1i32) == (b, 1i32), zip a b == zip b a)

entry floats [n] (a: [n]f32) (b: [n]f32) (c: [n]f32) : (bool, bool, bool) = (a == b, c == c, a != c)
