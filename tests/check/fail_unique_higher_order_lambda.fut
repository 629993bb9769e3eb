-- Nor is a lambda.
-- ==
-- error: it consumes an argument that must be left alone
def twice [n] (f: [n]i32 -> [n]i32) (xs: [n]i32) : [n]i32 = f (f xs)
def main [n] (xs: [n]i32) : [n]i32 = twice (\(ys: *[n]i32) -> ys with [0] = 1) xs
