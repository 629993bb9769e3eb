-- Two operations on more bins than a workgroup has room for: each for itself; 8-byte integers by atomic operations.
-- ==
-- input { [0i64, 1i64, 0i64] [1f32, 2f32, 3f32] 2i64 }
-- output { [4f32, 2f32] [2i64, 1i64] }
def main [n] (bins: [n]i64) (values: [n]f32) (k: i64) : ([k]f32, [k]i64) =
  (hist (+) 0 k bins values, hist i64.max (-1) k bins (iota n))
