-- Functions in payloads of sums whose constructor is known.
-- tolerance: exact
-- ==
-- input { 5i32 } output { 10i32 6i32 8i32 }
type^ op = #unary (i32 -> i32) | #binary (i32 -> i32 -> i32) | #none

def run (o: op) (x: i32) : i32 =
  match o
  case #unary f -> f x
  case #binary f -> f x x
  case #none -> x

entry main (x: i32) =
  let k = x - 2
  in (run (#binary (+)) x, run (#unary (\y -> y + 1)) x, run (#unary (+ k)) x)
