-- One sign too few.
-- ==
-- error: expected .then.*help: .x == y. compares
def main (x: i32) = if x = 0 then 1 else 2
