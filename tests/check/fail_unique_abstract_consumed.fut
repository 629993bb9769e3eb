-- Consuming a value of an abstract type would consume all of its parts.
-- ==
-- error: a value of an abstract type, parts of which may share memory \[H3015\]
module pairs: {
  type pair
  val both: f32 -> pair
  val set: *pair -> *pair
} = {
  type pair = ([2]f32, [2]f32)
  def both x: pair = let xs = [x, x] in (xs, xs)
  def set ((xs, ys): *pair): *pair = (xs with [0] = 0, ys)
}
def main x = let _ = pairs.set (pairs.both x) in x
