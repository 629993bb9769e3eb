-- The sizes that an abstract type is applied to are shown by its values.
-- ==
-- error: type `pair` is abstract, but no array of `\[.*\]u8` shows its size `a`.*H3018
module type joined = {
  type pair [a] [b]
  val join [a] [b] : [a]u8 -> [b]u8 -> pair [a] [b]
}

module flat : joined = {
  type pair [a] [b] = [a + b]u8
  def join [a] [b] (xs: [a]u8) (ys: [b]u8) : pair [a] [b] = xs ++ ys
}

def main (xs: []u8) : i64 = length xs
