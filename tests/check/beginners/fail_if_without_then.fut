-- A condition in parentheses, as in C.
-- ==
-- error: expected .then.*help: a choice between two values is .if c then a else b.
def main (x: i32): i32 = if (x > 0) 1 else 2
