-- A definition without parameters is one value for all.
-- ==
-- error: `a` is a definition, which this would consume \[H3015\]
def a : [3]i64 = [1, 2, 3]
def main = a with [0] = 7
