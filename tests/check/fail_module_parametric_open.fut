-- A parametric module cannot be opened.
-- ==
-- error: this is a parametric module.*H3018
module f (T: {}) = {def x = 1i32}
open f
