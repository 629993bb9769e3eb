-- A definition has one name; patterns are for `let`.
-- ==
-- error: found a pattern where a definition needs one name.*\[H2001]
def (a, b) = (1, 2)
