-- Rows are views, and share with each other.
-- ==
-- error: `b` is used after it was consumed.*H3015
def main (n: i64) : i64 =
  let xss = replicate n (iota n)
  let a = xss[0]
  let b = xss[1]
  let a[0] = 7
  in a[0] + b[0]
