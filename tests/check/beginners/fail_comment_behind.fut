-- A comment of C behind the last expression.
-- ==
-- error: help: a comment begins with .--
def main (x: i32) = x /* hi */
