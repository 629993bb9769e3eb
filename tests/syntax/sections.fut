-- Operator sections, also of operators of one's own and in backticks.
-- ==
-- input { 10 } output { 7 -7 13 10 30 3 -10 }
def (a: i32) -| (b: i32) = a - b
def minus (a: i32) (b: i32) = a - b
def times (a: i32) (b: i32) = a * b
def apply (f: i32 -> i32) (x: i32) = f x
def main (x: i32) =
  (apply (-| 3) x,
   apply (3 -|) x,
   apply (i32.+ 3) x,
   apply (20 `minus`) x,
   apply (`times` 3) x,
   (.1) (x, 3),
   (-x))
