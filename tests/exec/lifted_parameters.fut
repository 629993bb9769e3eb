-- The parameters of a type that may be a function may be functions.
-- ==
-- input { 4 } output { 5 }
type^ p 'u = {f: u}
def g : p (i32 -> i32) = {f = \x -> x + 1}
entry main (x: i32) = g.f x
