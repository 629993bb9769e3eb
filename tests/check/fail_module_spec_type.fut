-- A module type names a type that does not exist.
-- ==
-- error: unknown type `u`.*H3003
module type t = {val x : u}
