-- The module lacks a nested module.
-- ==
-- error: module `n` is missing.*H3018
module m : {module n: {}} = {def n = 0i32}
