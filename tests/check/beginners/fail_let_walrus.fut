-- An assignment for a definition.
-- ==
-- error: help: .let x = e in ... names a value
def main (x: i64) = let y := x in y
