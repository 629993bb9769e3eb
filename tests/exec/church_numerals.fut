-- Numbers as functions.
-- tolerance: exact
-- ==
-- input { 5i32 }
-- output { 8i32 }
type^ num = (i32 -> i32) -> i32 -> i32
def zero : num = \_ x -> x
def succ (n: num) : num = \f x -> f (n f x)
def add (a: num) (b: num) : num = \f x -> a f (b f x)
def toInt (n: num) = n (+ 1) 0
entry main (x: i32) = toInt (add (succ (succ zero)) (succ zero)) + x
