-- A type abbreviation with an open size.
-- ==
-- error: leaves a size open, but `type` declares data whose sizes are known: write `type t \[n\] = ..`.*H3021
type t = []i32
