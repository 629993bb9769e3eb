-- Values and modules share one name space.
-- ==
-- error: unknown module `m`.*H3019
module n = {module m = {def x = 1i32}}
open n
open {def m = 1i32}
module k = m
