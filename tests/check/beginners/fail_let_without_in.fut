-- A `let` that ends the function.
-- ==
-- error: help: what follows may use the name: .let x = 1 in x . 2
def main (x: i64) = let y = x
