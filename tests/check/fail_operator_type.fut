-- An operator at a type that it does not have.
-- ==
-- error: an operand of `\+` has type `bool`, but a `number` is needed.*H3008
def main (x: bool) = x + true
