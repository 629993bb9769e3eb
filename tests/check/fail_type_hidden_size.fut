-- A type abbreviation with an open size.
-- ==
-- error: the type `t` leaves a size open.*H3021
type t = []i32
