-- A size cannot be a call that takes an array of that size.
-- ==
-- error: H4001
def same eq xs ys = length xs == length ys && and (map2 eq xs (ys :> [length xs]i32))
