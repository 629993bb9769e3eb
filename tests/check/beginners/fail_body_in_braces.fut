-- A body in braces.
-- ==
-- error: help: braces hold fields, .\{a = 1\}.; parentheses hold expressions
let main (x: i64) { return x }
