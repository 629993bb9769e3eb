-- Abstract types that are arrays, functions and sums, with parameters.
-- tolerance: exact
-- ==
-- input { 3i32 } output { 6i32 true 9i32 12i32 }
module type container = {type c 'a val map 'a 'b : (a -> b) -> c a -> c b val one 'a : a -> c a val get 'a : c a -> a}
module ten : container = {type c 'a = [10]a def map 'a 'b (f: a -> b) (xs: [10]a) = tabulate 10 (\i -> f xs[i]) def one x = replicate 10 x def get xs = xs[0]}
module type fn = {type^ t val mk : (i32 -> i32) -> t val app : t -> i32 -> i32 val comp : t -> t -> t}
module fn : fn = {type^ t = i32 -> i32 def mk f = f def app f x = f x def comp (f: t) (g: t) : t = \x -> f (g x)}
module type opt = {type t 'a val none 'a : t a val some 'a : a -> t a val or 'a : t a -> a -> a}
module opt : opt = {type t 'a = #none | #some a def none 'a : t a = #none def some 'a (x: a) : t a = #some x def or 'a (o: t a) (d: a) = match o case #none -> d case #some x -> x}
entry main (x: i32) = (fn.app (fn.mk (* 2)) x, opt.or (opt.some true) false, ten.get (ten.map (+ 6) (ten.one x)), fn.app (fn.comp (fn.mk (* 3)) (fn.mk (+ 1))) x)
