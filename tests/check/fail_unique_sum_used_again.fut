-- A payload that a case consumes belongs to the sum.
-- ==
-- error: `x` is used after it was consumed.*H3015
type o 'a = #some a | #none

def main [n] (x: *o ([n]i32)) =
  let r = match x case #some y -> (y with [0] = 1)[0] case #none -> 1
  in (r, x)
