-- A choice as in C.
-- ==
-- error: found .\?..*help: a choice between two values is .if c then a else b.
def main (x: i32) = x == 1 ? 2 : 3
