-- The same with a literal.
-- ==
-- error: help: for each element of an array write .map
def main = [1, 2, 3] + 1
