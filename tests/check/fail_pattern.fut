-- A pattern with too many parts.
-- ==
-- error: the pattern has type `\(_, _, _\)`, the value has type `\(i32, i32\)`.*H3010
def main (p: (i32, i32)) : i32 = let (a, b, c) = p in a
