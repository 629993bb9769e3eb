-- A section may be called twice, but its operand is consumed once.
-- ==
-- error: this is a function that may run twice, and making it consumes `xs` \[H3022\]
def (|+|) (xs: *[]i32) (i: i32): *[]i32 = xs with [0] = i
def main (xs: *[]i32) = (xs |+|) 1
