-- A size parameter that the type does not use.
-- ==
-- error: does not use its size `n`.*H4002
type t [n] = i32
