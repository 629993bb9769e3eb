-- An element of unknown type may be a row of the array that it comes from.
-- ==
-- error: the result of `m.at` may share the memory of the definition `P.table` \[H3022\]
module m (P: {type t val n : i64 val table : [n]t}) = {
  def at (i: i64) : P.t = P.table[i]
}
