-- An application as in Haskell.
-- ==
-- error: found .\$.*help: .f <| x. applies
def main (xs: []i32) = map (+1) $ xs
