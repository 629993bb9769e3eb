-- A type with another definition than promised.
-- ==
-- error: type `t` is `f32`, but `i32` is needed.*H3018
module m : {type t = i32} = {type t = f32}
