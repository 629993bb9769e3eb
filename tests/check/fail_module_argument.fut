-- An argument does not fit the type of the parameter.
-- ==
-- error: value `x` has type `bool`, but `i32` is needed.*H3018
module f (T: {val x : i32}) = {def z = T.x}
module m = f {def x = true}
