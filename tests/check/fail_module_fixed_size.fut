-- A value takes arrays of one size only, promised is any.
-- ==
-- error: value `sum` has type `\[3\]i32 -> i32`, but `\[n\]i32 -> i32` is needed.*H3018
module m : {val sum [n] : [n]i32 -> i32} = {def sum (xs: [3]i32) = i32.sum xs}
