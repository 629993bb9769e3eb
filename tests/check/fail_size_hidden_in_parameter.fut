-- The function that comes back could not be called: its parameter has a size that is forgotten.
-- ==
-- error: knows the size `n` in a parameter.*H4003
def f (x: bool) =
  let (n, _) = if x then (10i64, true) else (20, true)
  in \(_: [n]bool) -> true
