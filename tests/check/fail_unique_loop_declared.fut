-- A star alone consumes the initial value.
-- ==
-- error: `xs` is a parameter without `\*`
def main (xs: []i32) (n: i64) : []i32 = loop (ys: *[]i32) = xs for i < n do copy ys
