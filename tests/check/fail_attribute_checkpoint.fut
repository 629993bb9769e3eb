-- An attribute of loops with an argument that it does not take.
-- ==
-- error: `#.checkpoint.1..` needs a number of states, 2 or more.*H5002
def main (n: i64) = #[checkpoint(1)] loop x = 1 while x < n do x * 2
