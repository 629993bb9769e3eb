-- An array that a function gets out of a value of an abstract type may be consumed and given back:
-- only the parts of the abstract value itself might share memory.
-- ==
-- input { [3, 4, 5] } output { [50, 7, 30] [5, 4, 3] }
module order
  : {
      type t [n]
      val backwards : (n: i64) -> t [n]
      val apply [n] 'a : t [n] -> [n]a -> [n]a
    } = {
  type t [n] = [n]i64
  def backwards n : t [n] = map (\i -> n - 1 - i) (iota n)
  def apply [n] 'a (p: t [n]) (xs: [n]a) : [n]a = map (\i -> xs[i]) p
}

def turn [n] (xs: *[n]i32) : (*[n]i32, order.t [n]) =
  let p = order.backwards n
  let ys = order.apply (order.backwards n) xs
  let ys[1] = 7
  in (map2 (\i y -> if i == 1 then y else 10 * y) (iota n) ys, p)

def main [n] (xs: [n]i32) : (*[n]i32, *[n]i32) =
  let (ys, p) = turn (copy xs)
  in (ys, order.apply p (copy xs))
