-- A type that may hide sizes may not be a function.
-- ==
-- error: may hold a function, but `type~` declares data: write `type\^ t = ..`.*H3021
type~ t = (i32, i32 -> i32)
