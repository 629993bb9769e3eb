-- Ranges do not chain.
-- ==
-- error: \[H2001]
def main = 0..<10..<20
