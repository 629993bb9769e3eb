-- A partial application with a name holds no consumed array, whether the array is used later or not.
-- ==
-- error: making it consumes `xs`.*H3022
def set (xs: *[]i32) (i: i32) : *[]i32 = xs with [0] = i
def main (xs: *[]i32) = let f = set xs in (f 1, xs[0])
