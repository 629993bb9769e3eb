-- `with` names a type that is known already.
-- ==
-- error: `t` is no abstract type.*H3018
module type t = {type t = i32}
module m : t with t = i32 = {type t = i32}
