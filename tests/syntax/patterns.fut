-- Patterns that always match, in every place that binds.
-- ==
-- input { 1 2 } output { 8 12 4 6 }
def f (x: i32, _: i32) {a = (b, c), d: i32} () = x + b + c + d
def (p, _) +^ (q: i32) = p + q + 0i32
def a `plus` b = a + b + 0i32
def g (#[unused] x: i32) (y) = x + y + 1
def main (x: i32) (y: i32) =
  let {z, w = (v, _)}: {z: i32, w: (i32, bool)} = {z = x, w = (y, true)}
  let #[unused] u = loop (a: i32, {b}) = (0, {b = 1}) for (c, d) in [(1, 2), (3, 4)] do (a + c * b, {b = d})
  let [n] (xs: [n]i32) = [v, v]
  in (f (z, 0) {a = (v, 1), d = 4} (), (u.0, 0) +^ (i32.i64 n + 3), g x y, z `plus` 5)
