-- A module that takes no parameter is applied.
-- ==
-- error: takes no parameter.*H3018
module m = {def x = 1i32}
module n = m {def y = 2i32}
