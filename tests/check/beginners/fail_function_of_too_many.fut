-- A function of two in `map`.
-- ==
-- error: holds a function.*help: a call with too few arguments is a function
def main (n: i64) = map (\i j -> i) (iota n)
