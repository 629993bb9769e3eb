-- A value of a nested module has another type than promised; the message has its whole name.
-- ==
-- error: value `n.x` has type `bool`, but `i32` is needed.*H3018
module m : {module n: {val x : i32}} = {module n = {def x = true}}
