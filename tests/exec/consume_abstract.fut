-- Values of abstract types may be consumed and given back as `*`, whatever made them.
-- ==
-- input { 5i64 1.5f32 } output { [0i8, 0i8, 0i8, 0i8, 0i8] [0.0f32, 1.5f32] [1.5f32, 1.5f32] }
module m : {type b [n] val mk : (n: i64) -> b [n] val up [n] : *b [n] -> *b [n] val out [n] : b [n] -> [n]i8} = {
  type b [n] = [n]i8

  def mk (n: i64) : *[n]i8 = replicate n 1
  def up [n] (x: *[n]i8) : *[n]i8 = map (\i -> i * 0) x
  def out [n] (x: [n]i8) = x
}

module pairs : {type~ pair val both : f32 -> pair val set : *pair -> *pair val get : pair -> ([2]f32, [2]f32)} = {
  type~ pair = ([2]f32, [2]f32)
  def both x : pair = let xs = [x, x] in (xs, xs)
  def set ((xs, ys): *pair) : *pair = (xs with [0] = 0, ys)
  def get (p: pair) = p
}

def made x : *pairs.pair = x |> pairs.both

entry main (n: i64) (x: f32) =
  let c = m.mk n
  let (a, b) = pairs.get (pairs.set (made x))
  in (m.out (m.up c), a, b)
