-- More than 64 bits.
-- ==
-- error: \[H1003]
def main = 18446744073709551616
