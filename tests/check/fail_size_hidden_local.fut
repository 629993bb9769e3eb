-- As for definitions, so for local functions.
-- ==
-- error: argument 2 of `zip`
def main (n: i64) =
  let f (k: i64): []i64 = iota k
  in zip (iota n) (f n)
