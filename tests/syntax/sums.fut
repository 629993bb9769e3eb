-- Sum types: payloads are atoms, constructors may be named like keywords.
-- ==
-- input { 2 } output { 2 9 7 -1 }
type t 'a = #one a | #two (a, a) ([2]a) | #in
type only = #only {x: i32}
def f (x: t i32): i32 =
  match x
  case #one y -> y
  case #two (a, b) c -> a + b + c[1]
  case #in -> -1
def g (#only r: only): i32 = r.x
def main (x: i32) =
  (f (#one x), f (#two (x, 3) [0, x + 2]), g (#only {x = 7}), f #in)
