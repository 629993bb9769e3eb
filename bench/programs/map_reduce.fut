-- One pass over memory: the sum of squares of n numbers made on the fly, and a map over them.
-- ==
-- entry: squares
-- input { 1000i64 } output { 332833500f32 }
-- ==
-- entry: stored
-- input { 1000i64 3i32 }

entry squares (n: i64): f32 = f32.sum (map (\i -> let x = f32.i64 i in x * x) (iota n))

-- | An array that is read and written `times` times.
entry stored (n: i64) (times: i32): f32 =
  let xs = loop xs = map f32.i64 (iota n) for _i < times do map (\x -> x * 0.5f32 + 1f32) xs
  in xs[n / 2]
