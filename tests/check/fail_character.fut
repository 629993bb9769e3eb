-- A character that starts no token.
-- ==
-- error: `@`.*\[H1001]
def main (x: i32) = x @ 1
