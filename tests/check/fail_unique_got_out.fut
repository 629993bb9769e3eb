-- An array from a value of an abstract type may be that value's memory.
-- ==
-- error: `b` is used after it was consumed \[H3015\]
module boxes
  : {
      type box [n]
      val make : (n: i64) -> box [n]
      val open_it [n] : box [n] -> [n]i64
    } = {
  type box [n] = [n]i64
  def make (n: i64) : box [n] = iota n
  def open_it [n] (b: box [n]) : [n]i64 = b
}

def main (n: i64) =
  let b = boxes.make n
  let xs = boxes.open_it b
  let xs[0] = 5
  in (xs[0], length (boxes.open_it b))
