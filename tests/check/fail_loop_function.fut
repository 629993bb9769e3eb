-- Loops carry values.
-- ==
-- error: `loop` carries a function.*H3013
def main (x: i32) : i32 = (loop f = i32.abs for i < 3 do i32.sgn) x
