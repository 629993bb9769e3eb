-- Sum types are for a later version.
-- ==
-- error: sum types .*\[H2006]
type t = #a i32 | #b
