-- A value whose size another value of the module tells.
-- ==
-- error: H3018|H4002
module m : {val n : i64 val xs : [n]i32} = {def n = 3i64 def xs = [1i32, 2]}
