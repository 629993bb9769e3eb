-- NaN is neutral for `min` and `max`, which lose it. The lanes of a reduction on the CPU compared with what they
-- began with, and nothing is greater than a NaN: numbers of the first lanes were lost.
-- ==
-- entry: constant
-- input { 200i64 } output { -3f32 192f64 }
-- input { 0i64 } output { f32.nan f64.nan }
-- ==
-- entry: given
-- input { f32.nan 200i64 } output { 192f32 }
-- input { 300f32 200i64 } output { 300f32 }
def numbers (n: i64) : [n]f64 = tabulate n (\i -> if i % 3 == 1 then f64.nan else f64.i64 (i * 7 % 199 - 3))

entry constant (n: i64) =
  (reduce f32.min f32.nan (map f32.f64 (numbers n)), reduce_comm f64.max f64.nan (numbers n))

entry given (neutral: f32) (n: i64) = reduce f32.max neutral (map f32.f64 (numbers n))
