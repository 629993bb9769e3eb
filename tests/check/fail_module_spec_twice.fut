-- A module type names a value twice.
-- ==
-- error: H2004
module type t = { val x: i32 val x: bool }
