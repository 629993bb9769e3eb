-- An attribute of loops with an argument that it does not take.
-- ==
-- error: `#.bound.x..` needs a number of steps.*H5002
def main (n: i64) = #[bound(x)] loop x = 1 while x < n do x * 2
