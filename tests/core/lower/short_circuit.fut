-- `&&` and `||` evaluate their right side only if it matters.
def main [n] (xs: [n]i32) (i: i64) : bool =
  0 <= i && i < n && xs[i] > 0 || i == -1
