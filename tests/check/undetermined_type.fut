-- A type of which nothing is asked is that of `()`.
-- ==
-- input { 2 } output { 0i64 4 [0i64] }
def first 'a 'b (x: a) (_: []b) = x

def main (x: i32) =
  let xs = []
  in (length xs, first (x * 2) [], map length [[]])
