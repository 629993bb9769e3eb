-- A declared result names parameters; a part of one has no name outside, in functions and lambdas alike.
-- ==
-- error: H4003

def whole (n: i64) (_: bool) : [n]i32 = replicate n 1
def hidden (n: i64, _: bool) : []i32 = replicate n 1
def part (n: i64, _: bool) : [n]i32 = replicate n 1
