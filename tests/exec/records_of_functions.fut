-- Records with functions that make each other.
-- ==
-- input { 3i32 [0.5f32,1.5f32] }
-- output { [6.0f32, 12.0f32] 31i32 [2.4494898f32, 3.4641016f32] 5.196152f32 }
type~ lazy = ?[k].[k]f32
type^ fn = {f: f32 -> f32, name: i32}
def compose (a: fn) (b: fn) : fn = {f = \x -> b.f (a.f x), name = a.name * 10 + b.name}
def scale k : fn = {f = (* k), name = 1}
def shift k : fn = {f = (+ k), name = 2}
def run [n] (g: fn) (xs: [n]f32) = map g.f xs

entry main [n] (k: i32) (xs: [n]f32) =
  let g = compose (scale 2) (compose (shift 1) (scale (f32.i32 k)))
  let h = {f = g.f >-> f32.sqrt, name = g.name}
  in (run g xs, g.name, run h xs, (.f) h 4)
