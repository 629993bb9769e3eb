-- The functions `and` and `or` take arrays.
-- ==
-- error: help: of two conditions that is .a && b.
def main (a: bool) (b: bool) = a and b
