-- A negative argument without parentheses.
-- ==
-- error: help: a negative argument stands in parentheses, .f \(-1\).
def main = iota - 1
