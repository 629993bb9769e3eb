-- Coercions and unflatten that fit and that do not; irregular literals; assert.
-- tolerance: exact
-- ==
-- entry: coerce1
-- input { [1,2,3] 3i64 }
-- output { [1i32, 2i32, 3i32] }
-- input { [1,2,3] 4i64 }
-- error: array has shape `\[3]`, needed `\[4]`.*H7006
-- tolerance: exact
-- ==
-- entry: coerce2
-- input { [[1,2,3],[1,2,3]] 2i64 3i64 }
-- output { [[1i32, 2i32, 3i32], [1i32, 2i32, 3i32]] }
-- input { [[1,2,3],[1,2,3]] 3i64 3i64 }
-- error: array has shape `\[2]\[3]`, needed `\[3]\[3]`.*H7006
-- input { [[1,2,3],[1,2,3]] 3i64 2i64 }
-- error: array has shape `\[2]\[3]`, needed `\[3]\[2]`.*H7006
-- tolerance: exact
-- ==
-- entry: unfl
-- input { [1,2,3,4,5,6] 2i64 3i64 }
-- output { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- input { [1,2,3,4,5,6] 2i64 4i64 }
-- error: array has shape `\[6]`, needed `\[8]`.*H7006
-- input { [1,2,3,4,5,6] -2i64 -3i64 }
-- error: array size `-2` is negative.*H7005
-- tolerance: exact
-- ==
-- entry: irr
-- input { [1,2,3,4,5,6] 2i64 }
-- output { [[1i32, 2i32], [2i32, 3i32]] }
-- input { [1,2,3,4,5,6] 3i64 }
-- error: array has shape `\[2]`, needed `\[3]`.*H7006
-- tolerance: exact
-- ==
-- entry: check
-- input { 3i64 }
-- output { [0i64, 1i64, 2i64] }
-- input { -3i64 }
-- error: assertion is false.*H7007

entry coerce1 (xs: []i32) (n: i64) = xs :> [n]i32
entry coerce2 (xs: [][]i32) (n: i64) (m: i64) = xs :> [n][m]i32
entry unfl (xs: []i32) (n: i64) (m: i64) : [n][m]i32 = unflatten (xs :> [n * m]i32)
entry irr (xs: []i32) (n: i64) = [xs[0:n], xs[1:3] :> [n]i32]
entry check (n: i64) = assert (n > 0) (iota n)
