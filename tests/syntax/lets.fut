-- Lets without `in`, updates, local functions and operators.
-- ==
-- input { [1, 2, 3] } output { [5, 2, 18] 4 }
def main [n] (xs: *[n]i32) =
  let three (x: i32) = x * 3
  let (a) = 5
  let xs[0] = a
  let (+^) (x: i32) (y: i32) = x + y
  let r = {sum = 1, rest = (2, 3)}
  let r.sum = r.rest.1
  let xs[n - 1] = three (xs[2] +^ 3)
  in (xs, r.sum +^ 1)
