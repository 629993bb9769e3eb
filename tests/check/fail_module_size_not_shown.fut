-- An abstract type shows its sizes, a function has none to show.
-- ==
-- error: no array of the type `t` shows its size `n`
module m: { type^ t [n] val length [n]: t [n] -> i64 } = {
  type^ t [n] = [n]i32 -> i64
  def length [n] (_: t [n]) = n
}
