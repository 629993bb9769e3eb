-- A type that may hide sizes may not be a function.
-- ==
-- error: that takes `type\^ t`.*H3021
type~ t = (i32, i32 -> i32)
