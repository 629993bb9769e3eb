-- A type abbreviation whose parameter may hide sizes.
-- ==
-- error: that takes `type~ t`.*H3021
type t '~a = (a, i32)
