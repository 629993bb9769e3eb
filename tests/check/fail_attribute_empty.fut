-- An attribute has a name.
-- ==
-- error: expected a name or a number in the attribute, found `\]`.*H2001
def main (x: i32) = #[] x
