-- Primes, underscores, and what looks like a keyword or a number.
-- ==
-- input { 2 } output { 2 3 4 5 }
def x' (x: i32) = x
def y_1 (lets: i32) = lets + 1
def in_ (def': i32) = def' + 2
def e5 (x0b1: i32) = x0b1 + 3
def main (x: i32) = (x' x, y_1 x, in_ x, e5 x)
