-- The words between comparisons bind to their neighbours first.
-- ==
-- error: help: of two conditions that is .a && b
def main (x: i32) = x == 1 and x == 2
