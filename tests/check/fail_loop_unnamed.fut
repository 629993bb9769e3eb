-- A loop counts with a name.
-- ==
-- error: `for .. < ..` counts with a name: write `for _i < ..`.*H2001
def main (n: i64) : i32 = loop x = 0 for _ < n do x + 1
