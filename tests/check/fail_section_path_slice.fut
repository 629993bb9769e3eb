-- As (.[1:]): a path does not know how long its slices are.
-- ==
-- error: H4003
def f [n] [m] (rs: [n]{row: [m]i32}) = map (.row[1:]) rs
