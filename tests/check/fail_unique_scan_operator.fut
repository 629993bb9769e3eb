-- An operator does not consume.
-- ==
-- error: it consumes an argument that must be left alone
def main [n] [m] (xss: [n][m]i32) : [][]i32 =
  scan (\(a: *[m]i32) (b: [m]i32) -> a with [0] = b[0]) (replicate m 0) xss
