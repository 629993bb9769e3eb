-- Arguments are evaluated from the last to the first.
-- ==
-- error: size `count` of type .* is used before it is known.*H4002
def apply [n] (xs: [n]i32) (f: [n]i32 -> i64) : i64 = f xs
def main (xs: []i32) : i64 = apply (filter (> 2) xs) length
