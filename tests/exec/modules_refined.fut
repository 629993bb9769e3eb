-- Refinements: of included types, of types with parameters.
-- tolerance: exact
-- ==
-- input { 2i32 } output { 4i32 5i64 }
module type num = {type t val add : t -> t -> t}
module type two = {type a type b module n: num with t = a val f : a -> b}
module type three = {include two with a = i32 with b = i32 val g : b -> i64}
module m : three = {type a = i32 type b = i32 module n = {type t = i32 def add = (i32.+)} def f (x: i32) = n.add x x def g (x: i32) = i64.i32 x + 1}
module type poly = {type t 'a 'b val swap 'a 'b : t a b -> t b a}
module pp : poly with t 'a 'b = (a, b) = {type t 'x 'y = (x, y) def swap (x, y) = (y, x)}
module type sz = {type t [n] val f [n] : t [n] -> i64}
module ss : sz with t [k] = [k]i32 = {type t [n] = [n]i32 def f [n] (_: t [n]) = n}
entry main (x: i32) = (m.f x, (pp.swap (true, m.g (m.f x))).0 + ss.f (replicate 3 0) - 3)
