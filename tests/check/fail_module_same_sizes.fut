-- A value needs two equal sizes, promised are any two.
-- ==
-- error: value `f` has type .* is needed.*H3018
module m : {val f [n] [m] : [n]i32 -> [m]i32 -> i32} = {
  def f [n] (xs: [n]i32) (ys: [n]i32) = i32.sum (map2 (*) xs ys)
}
