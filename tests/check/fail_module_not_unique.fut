-- A result is promised to be new, but shares with the argument.
-- ==
-- error: value `f` has type .* is needed.*H3018
module m : {val f [n] : [n]i32 -> *[n]i32} = {def f [n] (xs: [n]i32) : [n]i32 = xs}
