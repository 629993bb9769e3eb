-- An index outside is reported with the index, the shape and the place.
-- ==
-- input { [1i32, 2i32] 2i64 }
-- error: `\[2.`.*`\[2.`.*H7001.*fail_index.fut:8:59
-- ==
-- input { [1i32, 2i32] -1i64 }
-- error: `\[-1.`.*H7001
entry main [n] (a: [n]i32) (i: i64) : (i32, i32) = (a[0], a[i])
