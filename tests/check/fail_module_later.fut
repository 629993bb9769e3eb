-- A module is seen only after its declaration.
-- ==
-- error: unknown module `n`.*H3019
module m = {open n}
module n = {def x = 1i32}
