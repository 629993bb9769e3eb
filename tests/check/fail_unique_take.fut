-- `take` and `drop` give views.
-- ==
-- error: `back` is used after it was consumed.*H3015
def main (n: i64) : i64 =
  let xs = iota (2 * n)
  let front = take n xs
  let back = drop n xs
  let front[0] = 1
  in front[0] + back[0]
