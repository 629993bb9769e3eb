-- The value of a function needs no word.
-- ==
-- error: unknown name .return.*help: the value of a function is its expression
def main (n: i64) = return n
