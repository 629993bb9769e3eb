-- A value gives arrays of another size than promised.
-- ==
-- error: value `f` has type .* is needed.*H3018
module m : {val f [n] : [n]i32 -> [n]i32} = {def f (xs: []i32) = filter (> 0) xs}
