-- An array has fewer than 2^60 elements, also if they have no readers or it is never in memory.
-- ==
-- entry: lengths sums elements units
-- input { 1152921504606846976i64 }
-- error: `\[1152921504606846976\]`.*H7012
-- ==
-- entry: lengths sums elements units
-- input { 9223372036854775807i64 }
-- error: H7012
-- ==
-- entry: lengths sums elements units
-- input { -1i64 }
-- error: -1.*H7005
-- ==
-- entry: lengths sums elements units
-- input { 3i64 }
-- output { 3i64 }
-- ==
-- entry: rows
-- input { 576460752303423488i64 2i64 }
-- error: `\[576460752303423488\]\[2\]`.*H7012
-- ==
-- entry: rows
-- input { 1152921504606846976i64 0i64 }
-- error: `\[1152921504606846976\]\[0\]`.*H7012
-- ==
-- entry: rows
-- input { 3i64 2i64 }
-- output { 3i64 }
-- ==
-- entry: constant
-- input { true }
-- error: `\[1152921504606846976\]`.*H7012
-- ==
-- entry: constant
-- input { false }
-- output { 0i64 }
entry lengths (n: i64) : i64 = length (iota n)
entry sums (n: i64) : i64 = i64.sum (replicate n 1)

entry elements (n: i64) : i64 =
  let _unused = map (\i -> i8.i64 i) (iota n)
  in n

entry units (n: i64) : i64 = length (replicate n ())
entry rows (n: i64) (m: i64) : i64 = length (replicate n (replicate m 1i8))
entry constant (b: bool) : i64 = if b then length (iota (1 << 60)) else 0
