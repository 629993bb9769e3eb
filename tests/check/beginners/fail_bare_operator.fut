-- An operator as an argument.
-- ==
-- error: help: as an argument the operator is .\(\+\).
def main (xs: []i32) = reduce + 0 xs
