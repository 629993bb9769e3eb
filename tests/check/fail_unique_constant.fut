-- A definition without parameters is shared by all uses.
-- ==
-- error: `zeros` is a constant, which nobody may consume
def zeros : *[10]i32 = replicate 10 0
