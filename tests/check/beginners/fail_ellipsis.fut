-- A range with signs of mathematics.
-- ==
-- error: help: .a...b. is the range from .a. to .b
def main (n: i64) = [0, 1, ..., n]
