-- A `let` ended as in C.
-- ==
-- error: help: what follows may use the name: .let x = 1 in x . 2
def main (x: i64) = let y = x; y + 1
