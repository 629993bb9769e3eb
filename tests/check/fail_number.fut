-- A hexadecimal number without digits, and a suffix that is none.
-- ==
-- error: digits are missing after `0x` \[H1002].*`i33` is not a suffix.*\[H1002]
def main = (0x, 1i33)
