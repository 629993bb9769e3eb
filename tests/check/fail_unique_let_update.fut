-- The short form of an update consumes as well.
-- ==
-- error: `alias` is used after it was consumed.*H3015
def main (n: i64) : i64 =
  let xs = iota n
  let alias = xs
  let xs[0] = 5
  in alias[0] + xs[1]
