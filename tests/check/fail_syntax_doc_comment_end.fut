-- Nothing follows the last comment.
-- ==
-- error: a doc comment stands right before a declaration, this one does not \[H2001\]
def main (x: i32) = x
-- | The end.
