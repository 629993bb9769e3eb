-- A range needs its kind of end.
-- ==
-- error: help: .1\.\.\.9. ends with 9
def main = 1..9
