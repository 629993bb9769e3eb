-- `0 / x` reached the driver's compiler, and NVIDIA's ended with an error.
-- ==
-- entry: signs
-- input { [1i32, -2i32, 7i32] } output { [0i64, 0i64, 0i64] }
-- ==
-- entry: every
-- input { [1i16, -2i16, 7i16] } output { [0i16, 0i16, 0i16] }
-- input { [1i16, 0i16] } error: division by zero
-- ==
-- entry: from_float
-- input { [1f32, -2.5f32] } output { [0i64, 0i64] }
-- input { [1f32, 0.5f32] } error: division by zero
entry signs [n] (xs: [n]i32) = map (\p -> i64.sgn (0 / (i64.i32 p | 1))) xs
entry every [n] (xs: [n]i16) = map (\x -> 0 / x + 0 % x + 0 // x + 0 %% x) xs
entry from_float [n] (rs: [n]f32) = map (\r -> 0 / i64.f32 r) rs
