-- What has to be in memory and does not fit is a failure of its own, on every engine.
-- ==
-- entry: result
-- input { 1125899906842624i64 }
-- error: H7009
-- ==
-- entry: result
-- input { 2i64 }
-- output { [1i64, 2i64] }
-- ==
-- entry: in_loop
-- input { 1125899906842624i64 2i64 }
-- error: H7009
-- ==
-- entry: in_loop
-- input { 3i64 2i64 }
-- output { 7i64 }
entry result (n: i64) : []i64 = map (+ 1) (iota n)

entry in_loop (n: i64) (k: i64) : i64 =
  loop s = 0 for i < k do s + i + (scan (+) 0 (iota n))[n - 1]
