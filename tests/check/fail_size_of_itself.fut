-- No size is twice itself.
-- ==
-- error: .*H4001
def f [n] (op: [n]i32 -> [n]i32) (xs: [n]i32) : [n]i32 = op xs
def main [n] (xs: [n]i32) : [n]i32 = f (\ys -> ys ++ ys) xs
