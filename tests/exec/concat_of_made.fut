-- Arrays that a concat's kernel makes by itself, beyond the length of one invocation's loops.
-- ==
-- entry: padded
-- input { [1f32, 5f32] 3i64 } output { [2f32, 2f32, 2f32, 1f32, 5f32, 0f32, 0f32, 0f32] }
-- input { [1f32, 5f32] 0i64 } output { [1f32, 5f32] }
entry padded [n] (xs: [n]f32) (k: i64) = replicate k 2f32 ++ xs ++ replicate k 0f32

-- ==
-- entry: long
-- input { 100000i64 } output { 200001i64 99999i64 1i64 1i64 }
entry long (n: i64) =
  let xs = iota n ++ replicate (n + 1) 1
  in (length xs, xs[n - 1], xs[n], xs[2 * n])

-- ==
-- entry: rows
-- input { [[1, 2], [3, 4]] } output { [[0, 1], [0, 1], [1, 2], [3, 4], [7, 7]] }
entry rows [n] (xs: [n][2]i32) = replicate 2 (map i32.i64 (iota 2)) ++ xs ++ replicate 1 (replicate 2 7)
