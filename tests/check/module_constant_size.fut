-- A size that a module's parameter gives: the same for every row, whatever it is.
-- ==
-- input { 2i64 } output { [[0, 1, 2], [1, 2, 3]] true }
module rows (P: {val width : i64}) : {val width : i64 val make : (n: i64) -> [n][width]i32} = {
  def width = P.width
  def row (k: i64) : [width]i32 = tabulate width (\i -> i32.i64 (i + k))
  def make (n: i64) : [n][width]i32 = map (\k -> row k) (iota n)
}

module three = rows {def width = 3i64}

module hidden : {type t val x : t} = {type t = i32 def x = 2}

def main (n: i64) = (map (map (+ 0)) (three.make n), hidden.x == hidden.x)
