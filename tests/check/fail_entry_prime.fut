-- Callers in other languages cannot write such a name.
-- ==
-- error: has a `'` in its name
entry next' (x: i32): i32 = x + 1
