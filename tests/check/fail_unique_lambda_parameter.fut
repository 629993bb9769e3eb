-- A lambda owns its parameter only with a star.
-- ==
-- error: `row` is a parameter without `\*`
def main (xss: [][]i32) : [][]i32 = map (\row -> row with [0] = 0) xss
