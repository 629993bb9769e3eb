-- The sizes of an entry are those of its arguments.
-- ==
-- error: size `n` of entry `main` is not the size of any array it takes.*H4002
def main [n] (x: i32) : [n]i32 = rep x
