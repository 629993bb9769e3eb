-- Two arrays that must have one length: both sizes, and where they come from.
-- ==
-- error: size `m` is not `n`: argument 3 of `map2` has type `\[m]i32`, but `\[n]i32` is needed.*H4001.*size `m` comes from here
def main [n] [m] (xs: [n]i32) (ys: [m]i32) : [n]i32 = map2 (+) xs ys
