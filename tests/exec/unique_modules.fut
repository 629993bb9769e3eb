-- A parametric module is checked once, without knowing what is behind its types.
-- ==
-- input { [[1, 2], [3, 4]] } output { [4, 6] 3 }
module type monoid = {type t val zero : t val add : t -> t -> t}
module sums (M: monoid) = {def sum (xs: []M.t) = reduce M.add M.zero xs}
module vectors = sums {type t = [2]i32 def zero : [2]i32 = [0, 0] def add = map2 (+) : [2]i32 -> [2]i32 -> [2]i32}
module numbers = sums {type t = i32 def zero = 0i32 def add = (i32.+)}
def main (xss: [][2]i32) = (vectors.sum xss, numbers.sum [1, 2])
