-- An escape that does not exist.
-- ==
-- error: unknown escape.*\[H1001]
def main = "a\qb"
