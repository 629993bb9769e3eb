-- A type abbreviation whose parameter may hide sizes.
-- ==
-- error: may hide sizes, but `type` declares data whose sizes are known: write `type~ t = ..`.*H3021
type t '~a = (a, i32)
