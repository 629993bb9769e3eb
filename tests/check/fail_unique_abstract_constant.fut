-- A definition is not consumed, whatever its type hides.
-- ==
-- error: `cells.zero` is a definition, which this would consume \[H3015\]
module cells
  : {
      type t
      val zero : t
      val set : *t -> *t
    } = {
  type t = [3]i32
  def zero : t = [0, 0, 0]
  def set (a: *t) : *t = a with [0] = 1
}

def main (x: i32) = let _ = cells.set cells.zero in x
