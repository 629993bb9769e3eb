-- The types of an entry are fixed.
-- ==
-- error: entry `main` has type `a -> a`.*H3011
def main x = x
