-- Types of other languages.
-- ==
-- error: unknown type .int.*help: integers are .i8. to .i64.
def main (x: int) = x
