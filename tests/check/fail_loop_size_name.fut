-- Two arrays whose size has one name are of one size in each step, also the next.
-- ==
-- error: size `m` is not `m\+1`.*the body of the loop.*H4001
def main (n: i64) =
  loop [m] (xs: [m]i64, ys: [m]i64) = (iota n, iota n) for i < 3i64 do (xs ++ [i], ys)
