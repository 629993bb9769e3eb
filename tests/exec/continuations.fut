-- Functions that return functions that take functions.
-- tolerance: exact
-- ==
-- input { 4i64 }
-- output { 16i32 12i32 }
type^ cont 'r = (i32 -> r) -> r
def ret 'r (x: i32) : cont r = \k -> k x
def bind 'r (m: cont r) (f: i32 -> cont r) : cont r = \k -> m (\x -> f x k)

entry main (n: i64) =
  let c = bind (ret 3) (\x -> bind (ret (x + 1)) (\y -> ret (x * y)))
  in (c (\x -> x + i32.i64 n), c id)
