-- Modules of every form: bodies, names, applications, ascriptions, lambdas, local opens.
-- ==
-- input { 3 } output { 4 7 10 8 6 13 2 }
module type steps = { type t val step : t -> t val +^ : t -> t -> t }
module one = {
  type t = i32
  def step (x: t) = x + 1
  def (a: t) +^ (b: t) = a + b
}
module also = (one : steps with t = i32)
module twice (p: steps): (steps with t = p.t) = {
  open p
  def step (x: t) = p.step (p.step x)
}
module apply = \(p: steps) : (steps with t = p.t) -> twice (twice p)
module nested = { module inner = twice one  local def hidden = 1i32  def shown = hidden }
module higher (f: (p: steps) -> steps with t = p.t) (p: steps) = f p
module type renamed = { include steps with t = i32  module m : steps }
module two = higher apply one
open { def opened = 2i32 }
entry main (x: i32) =
  (one.step x,
   two.step x,
   let y = nested.inner.step x in y one.+^ x one.+^ 2,
   also.(step (x +^ 4)),
   (one.+^) x x |> (x `i32.max`),
   nested.inner.(step (step x) +^ 3 +^ x),
   opened * nested.shown)
