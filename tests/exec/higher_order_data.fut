-- Functions in records and tuples, returned functions, compositions of partial applications.
-- tolerance: exact
-- ==
-- input { 3i32 [1i32, 2i32] } output { [13i32, 23i32] 21i32 [6i32, 9i32] 36i32 }
def ops (k: i32) = {add = (+ k), scale = \x -> x * 10i32}
def pair (k: i32) = (\x -> x + k, (\x y -> x * y + k))
def chain = (+ 1i32) >-> (* 3)
def compose '^a '^b '^c (f: b -> c) (g: a -> b) : a -> c = \x -> f (g x)
def twice '^a (f: a -> a) : a -> a = f >-> f

entry main [n] (k: i32) (xs: [n]i32) =
  let o = ops k
  let (f, g) = pair k
  in ( map (compose o.add o.scale) xs
     , g (f k) k |> i32.max 21 |> const 21
     , map chain xs
     , twice (twice (+ k)) (k * 8)
     )
