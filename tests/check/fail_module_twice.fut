-- A value and a module of one name.
-- ==
-- error: H2004
module m = { def x = 1i32 }
def m = 1i32
