-- Two arrays whose size has one name are of one size at the start.
-- ==
-- error: the initial value.*H4001
def main (n: i64) =
  loop [m] (xs: [m]i64, ys: [m]i64) = (iota n, iota (n + 1)) for i < 3i64 do (xs ++ [i], ys ++ [i])
