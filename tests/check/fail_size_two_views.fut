-- Two views of one size that are two sizes.
-- ==
-- error: size `n` is not `m`.*H4001
def f [n] [m] ((_, e: [n]i64): (i32, [m]i64)) = n + e[0]
