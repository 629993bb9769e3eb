-- A function that consumes gets nothing that is only lent.
-- ==
-- error: `xs` is a parameter without `\*`
def set (xs: *[]i32) : *[]i32 = xs with [0] = 1
def main (xs: []i32) : []i32 = set xs
