-- Rows of an empty literal, and payloads of other constructors, of sizes that cannot be: compiled
-- code returned arrays of less than nothing, and a loop that carried such a sum wrote outside.
-- ==
-- entry: rows
-- input { -1i64 } error: array size `-1` is negative
-- input { 1152921504606846976i64 } error: shape `.0..1152921504606846976.` has more elements
-- input { 4i64 } output { empty([0][4]i32) }
-- ==
-- entry: pairs
-- input { -1i64 } error: array size `-1` is negative
-- input { 2i64 } output { 2i64 }
-- ==
-- entry: units
-- input { -1i64 } error: array size `-1` is negative
-- input { 2i64 } output { 0i64 }
-- ==
-- entry: planes
-- input { 4294967296i64 2i64 } output { empty([0][4294967296][2]i32) }
-- input { 4294967296i64 -1i64 } error: array size `-1` is negative
-- ==
-- entry: in_cells
-- input { -1i64 } error: array size `-1` is negative
-- input { 1i64 } output { [0i64, 0i64, 0i64] }
-- ==
-- entry: carried
-- input { -1i64 } error: array size `-1` is negative
-- input { 3i64 } output { true }
-- ==
-- entry: cells
-- input { -1i64 } error: array size `-1` is negative
-- input { 1152921504606846976i64 } error: shape `.1152921504606846976.` has more elements
-- input { 3i64 } output { [false, true] }
-- ==
-- entry: unused
-- input { -1i64 } error: array size `-1` is negative
-- input { 0i64 } output { true }
-- ==
-- entry: square
-- input { 2147483648i64 2147483648i64 } error: shape `.2147483648..2147483648.` has more elements
-- input { 0i64 2147483648i64 } output { true }
type t [n] = #none | #row [n]i32
type s [n] [m] = #void | #plane [n][m]i8

entry rows (n: i64) : [0][n]i32 = []
entry pairs (n: i64) = let xs: [0][n](i32, [n]bool) = [] in length (transpose xs)
entry units (n: i64) = length ([] : [0][n]())
entry planes (n: i64) (m: i64) : [0][n][m]i32 = []
entry in_cells (n: i64) = map (\_ -> let xs: [0][n]u8 = [] in length xs) (iota 3)

entry carried (n: i64) =
  (loop (x: t [n]) = #none for i < 3 do if i == 4 then #row (replicate n 2) else x) == #none

entry cells (n: i64) = map (== #none) [#row (replicate n 1), (#none : t [n])] :> [2]bool
entry unused (n: i64) = match (#none : t [n]) case #none -> true case #row xs -> null xs
entry square (n: i64) (m: i64) = (#void : s [n] [m]) == #void
