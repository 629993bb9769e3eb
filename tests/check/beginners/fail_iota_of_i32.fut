-- A size of another integer type: the conversion is known.
-- ==
-- error: help: .i64.i32 x. converts an .i32. to .i64.
def main (n: i32) = iota n
