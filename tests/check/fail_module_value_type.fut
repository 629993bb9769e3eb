-- A value has another type than promised.
-- ==
-- error: value `x` has type `f32`, but `i32` is needed.*H3018
module m : {val x : i32} = {def x = 1f32}
