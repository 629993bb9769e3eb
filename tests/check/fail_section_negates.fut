-- A minus sign in a section negates: there is no section that subtracts.
-- ==
-- error: argument 1 of `map` has type `number`, but `i32 -> _` is needed.*H3002
def main = map (-2) [1i32, 2]
