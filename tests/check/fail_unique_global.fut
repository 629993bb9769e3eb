-- Definitions are never consumed.
-- ==
-- error: `table` is a definition, which this would consume
def table : []i32 = [1, 2, 3]
def main (i: i64) : []i32 = table with [i] = 1
