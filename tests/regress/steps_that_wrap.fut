-- Steps of ranges that are no i64s wrapped to small ones; lengths of segments wrapped to a sum that
-- could be.
-- ==
-- entry: unsigned
-- input { 2u64 9223372036854777916u64 9223372036854775809u64 } error: more elements than memory
-- input { 2u64 5u64 9u64 } output { 3i64 }
-- input { 9u64 5u64 2u64 } output { 2i64 }
-- input { 18446744073709551615u64 9223372036854775808u64 0u64 } error: more elements than memory
-- ==
-- entry: signed
-- input { 3797741763023241828i64 -9223372036854775808i64 9223372036854775807i64 } error: H7008
-- input { 3797741763023241828i64 -9223372036854775808i64 0i64 } error: more elements than memory
-- input { 9223372036854775806i64 -1i64 0i64 } output { 1i64 }
-- ==
-- entry: segments
-- input { [9223372036854775807i64, 9223372036854775807i64] }
-- error: `.9223372036854775807.` has more elements
-- input { [1i64, 1152921504606846981i64] } error: `.1152921504606846981.` has more elements
-- input { [2i64, 1i64] } output { [0i64, 1i64, 0i64] }
entry unsigned (a: u64) (b: u64) (c: u64) = length (a..b...c)
entry signed (a: i64) (b: i64) (c: i64) = length (a..b...c)
entry segments [n] (xs: [n]i64) = let (_, _, _, data, _) = flatmap (\x : ([]i64, ()) -> (iota x, ())) xs in data
