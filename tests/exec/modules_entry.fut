-- An entry that is a member of a nested module.
-- tolerance: exact
-- ==
-- input { [1i32,2i32] } output { [2i32,3i32] }
module m = {def inc = map (+ 1i32) module type t = {}}
module n = m
module o = {module p = n}
entry main = o.p.inc
