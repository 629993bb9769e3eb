-- Every application makes abstract types of its own.
-- ==
-- error: H3014|H3002
module type counter = {type t val zero : t val add : t -> t -> t}

module make (K: {val k : i32}) : counter = {
  type t = i32
  def zero = K.k
  def add (x: t) (y: t) = x + y
}

module a = make {def k = 1i32}
module b = make {def k = 1i32}
def main = a.add a.zero b.zero
