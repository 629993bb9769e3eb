-- A function applied to some of its arguments, of a size that is computed, is passed on.
-- ==
-- input { 5i64 } output { 88i64 }
-- input { 0i64 } output { 28i64 }
def weighted [d] (weights: [d]i64) (v: [d]i64) : i64 = i64.sum (map2 (*) weights v)

def applied [d] (cells: [d]i64) (f: [d]i64 -> i64) (x: i64) : i64 = f (map (+ x) cells)

def plain (r: i64) (x: i64) : i64 =
  let cells = tabulate (r * r) id
  in applied cells (weighted (map (* 2) cells)) x

entry main (x: i64) = plain 2 x + applied [0] (weighted [x - x]) x
