-- A function that is passed on may run any number of times, so making it consumes no name.
-- ==
-- error: this is a function that may run twice, and making it consumes `xs` \[H3022\]
def set (xs: *[]i32) (i: i32) : i32 = (xs with [0] = i)[0]
def main (xs: *[]i32) = map (set xs) [1, 2]
