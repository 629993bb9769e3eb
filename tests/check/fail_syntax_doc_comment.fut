-- A doc comment documents the declaration that follows it.
-- ==
-- error: a doc comment stands right before a declaration, this one does not \[H2001\]
def main (x: i32) =
  -- | not here
  x
