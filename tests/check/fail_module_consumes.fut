-- A value consumes its argument, which its type does not say.
-- ==
-- error: must not consume its argument.*H3018
module m : {val f [n] : [n]i32 -> [n]i32} = {def f [n] (xs: *[n]i32) : *[n]i32 = xs}
