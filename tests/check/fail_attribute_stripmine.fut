-- An attribute of loops with an argument that it does not take.
-- ==
-- error: `#.stripmine.0..` needs a depth from 1 to 8.*H5002
def main (n: i64) = #[stripmine(0)] loop x = 1 while x < n do x * 2
