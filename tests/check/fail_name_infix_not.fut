-- A prefix operator is no infix one.
-- ==
-- error: `!` stands before its operand, no definition puts it between two \[H2001\]
def x ! y = x + (y : i32)
