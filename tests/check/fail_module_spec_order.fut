-- In a module type, too, names are seen only after their declaration.
-- ==
-- error: unknown type `u`.*H3003
module type t = {val x : u type u}
