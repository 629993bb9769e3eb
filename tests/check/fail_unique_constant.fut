-- A definition without parameters is there for everybody.
-- ==
-- error: `zeros` is a constant, which nobody may consume
def zeros : *[10]i32 = replicate 10 0
