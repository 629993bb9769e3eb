-- A value is less general than promised.
-- ==
-- error: value `id` has type `i32 -> i32`, but `a -> a` is needed.*H3018
module m : {val id 'a : a -> a} = {def id (x: i32) = x}
