-- The value of a loop's variable inside its pattern.
-- ==
-- error: help: the value stands behind the whole pattern
def main (x: i32) = loop (i = 0) for i < 10 do i
