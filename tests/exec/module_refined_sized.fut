-- A refinement may put a type with sizes of its own where the module type has a plain one.
-- ==
-- input { [true, false, true] } output { 2i32 [true, false, true] }
module type counts = {
  type content
  val put : content -> (i32, content)
  val size : content -> i32
}

module counted (P: {type~ content val count : content -> i32})
  : counts with content = P.content = {
  type~ content = P.content
  def put (c: content) = (P.count c, c)
  def size (c: content) = P.count c
}

module flags = counted {
  type~ content = ?[k].[k]bool
  def count (xs: []bool) = i32.sum (map i32.bool xs)
}

def main (xs: []bool) = (flags.size xs, (flags.put xs).1)
