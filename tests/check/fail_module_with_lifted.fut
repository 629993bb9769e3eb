-- `with` makes a type lifted that must not be.
-- ==
-- error: type `t` is declared by `type\^`, but `type` is needed.*H3018
module type t = {type t}
module type u = t with t = (i32 -> i32)
