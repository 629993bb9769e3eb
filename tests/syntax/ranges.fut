-- Ranges, and the signs and dots around them.
-- ==
-- input { 2i64 } output { [0i64, 1i64] [3i64, 2i64] [0i64, 2i64] [-1, -2, -3] [2i64, 1i64, 0i64] [1u8, 2u8] }
def main (n: i64) =
  (0..<n, n+1..>n-1, 0..2..<n*2, -1..-2...-3, n..n-1...0, 1u8...2u8)
