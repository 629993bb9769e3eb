-- Each use of a constant with a type parameter is a value of its own, which may be consumed.
-- ==
-- input { 9 } output { [9, 0] [0, 0] }
def zeros 'a : (i64 -> a) -> [2]a = \f -> tabulate 2 f
def none 'a : []a = []
def keep 't (xs: *[]t) : *[]t = xs

def main (x: i32) =
  let a: []i32 = keep none
  let b = zeros (\_ -> 0i32)
  let c = copy b with [0] = x
  in (c ++ a, b)
