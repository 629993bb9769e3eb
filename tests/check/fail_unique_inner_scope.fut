-- Aliases outlive the name that they had in common.
-- ==
-- error: `b` is used after it was consumed.*H3015
def main (n: i64) : []i64 =
  let (a, b) = let x = iota n in (x, x)
  let a[0] = 1
  in b
