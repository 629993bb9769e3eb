-- An abstract type shows its sizes, a function has none to show.
-- ==
-- error: type `t` is abstract, but no array of .* shows its size `n`.*H3018
module m : {type^ t [n] val length [n] : t [n] -> i64} = {
  type^ t [n] = [n]i32 -> i64
  def length [n] (_: t [n]) = n
}
