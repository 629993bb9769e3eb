-- A string ends on its line.
-- ==
-- error: \[H1004]
def main = "abc
