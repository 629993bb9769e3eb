-- `with` says something else than the module.
-- ==
-- error: type `t` is `i32`, but `i64` is needed.*H3018
module type t = {type t}
module m : t with t = i64 = {type t = i32}
