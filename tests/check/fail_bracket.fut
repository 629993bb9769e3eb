-- A bracket that stays open is shown.
-- ==
-- error: expected `\)` at the end of the parentheses, found `def` \[H2001].*opened here
def a = (1, 2
def main = 1
