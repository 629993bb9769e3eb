-- A function is no value of a loop, though each step composes it.
-- ==
-- error: `loop` carries a function of type `i32 -> i32`, but only values change from step to step.*H3013
def main (x: i32) = (loop g = (+ 1) for i < 3i32 do g >-> g) x
