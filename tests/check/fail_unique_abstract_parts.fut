-- What is behind an abstract type may be twice the same array; only a `*` in the type of the
-- function says no.
-- ==
-- error: the result of `main` is `\*`, but is of an abstract type, and its parts may share memory with each other \[H3022\]
module pairs: {
  type pair
  val both: f32 -> pair
} = {
  type pair = ([2]f32, [2]f32)
  def both x: pair = let xs = [x, x] in (xs, xs)
}
def main x: *pairs.pair = x |> pairs.both
