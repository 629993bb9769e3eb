-- A result without annotation is what the body gives.
-- ==
-- error: `b` is used after it was consumed.*H3015
def f (n: i64) = let xs = iota n in (xs, xs)

def main (n: i64) : i64 =
  let (a, b) = f n
  let a[0] = 1
  in a[0] + b[0]
