-- `with` names a type that the module type does not have.
-- ==
-- error: `u` is no abstract type.*H3018
module type t = {type t}
module m : t with u = i32 = {type t = i32}
