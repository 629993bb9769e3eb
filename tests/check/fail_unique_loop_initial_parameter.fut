-- So it must be consumable.
-- ==
-- error: `xs` is a parameter without `\*`
def main (xs: []i32) (n: i64) : []i32 = loop ys = xs for i < n do ys with [i] = 0
