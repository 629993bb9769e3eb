-- An array type without the type of its elements.
-- ==
-- error: expected the type of the elements after `\[\.\.\]`, found `\)` \[H2001]
def main (xs: [10]) = xs
