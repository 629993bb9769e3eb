-- A type abbreviation that is a function.
-- ==
-- error: `i32 -> i32` may hold a function, but `type` declares data: write `type\^ f = ..`.*H3021
type f = i32 -> i32
