-- Of most ranges only the value knows how many elements it has.
-- ==
-- error: H4001|H4004|H400
def main (n: i64): [n]i64 = 1..<n + 1
