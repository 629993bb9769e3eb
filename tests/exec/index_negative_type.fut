-- Indices of any signed type.
-- tolerance: exact
-- ==
-- input { [10i32, 20i32, 30i32] 1i8 2i32 0i64 }
-- output { 20i32 30i32 10i32 }
entry main [n] (a: [n]i32) (i: i8) (j: i32) (k: i64) : (i32, i32, i32) = (a[i], a[j], a[k])
