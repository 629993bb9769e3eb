-- A file of Futhark's prelude as a module has the names of the prelude.
-- ==
-- input { [3, -1, 2] } output { [4, 0, 3] 5 3i64 }
module m = import "/prelude/soacs"
module n = import "/prelude/math"
module numbers : n.integral with t = i32 = n.i32

module sum_of (x: n.numeric) = {
  def sum [k] (xs: [k]x.t) = m.reduce (x.+) (x.i32 0) xs
}

module s = sum_of i32
def map = 3i64
open import "/prelude/array"
def main (xs: []i32) = (m.map (+ 1) xs, s.sum xs numbers.+ numbers.popc 2, map)
