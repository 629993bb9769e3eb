-- What a parameter's size is checked against at run time says nothing of it.
-- ==
-- entry: fits
-- input { true } output { 10i64 }
--
-- ==
-- entry: other
-- input { true } error: shape
def f (x: bool) =
  let n = if x then 10 else 20i64
  in \(ys_any: []bool) -> let ys = ys_any :> [n]bool in length ys

entry fits (x: bool) = f x (replicate 10 true)
entry other (x: bool) = f x (replicate 11 true)
