-- A type abbreviation that is a function.
-- ==
-- error: that takes `type\^ f`.*H3021
type f = i32 -> i32
