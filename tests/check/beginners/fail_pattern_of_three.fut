-- A pattern with another number of parts than the value.
-- ==
-- error: help: the pattern has 3 parts, the value 2
def main = let (a, b, c) = (1, 2) in a
