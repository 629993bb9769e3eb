-- An argument that is a function is made without consuming.
-- ==
-- error: making it consumes `xs`.*H3022
def plus (xs: *[]i32) (i: i64) : i32 = (xs with [0] = 1)[i]
def main (xs: *[]i32) : []i32 = map (plus xs) [0, 1]
