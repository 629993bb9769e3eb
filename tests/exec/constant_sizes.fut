-- The sizes that a constant alone knows are the same wherever it is used, also in the types of
-- functions that are written nowhere.
-- ==
-- input { [10, 20, 30] }
-- output { [2, 4, 6] 33 [[11, 12, 13], [21, 22, 23], [31, 32, 33]] 2i64 }
def small = filter (< 5) [9, 1, 8, 2, 3]

def table (rows: i64) = let n = rows * rows - 1 in (iota n, replicate n 1i64)
def made = table 2
def counts = made.0
def ones = made.1

def with_small xs = map2 (+) small xs
def twice = map2 (+) small small

module type source = {
  val items : []i64
}

module hidden : source = {
  def items = filter (> 6) [4, 7, 9i64]
}

entry main (xs: [3]i32) =
  let rows = map (\x -> map (+ x) small) xs
  let all = map2 (+) counts ones
  let pairs = zip hidden.items (map (* 2) hidden.items)
  in (copy twice, last (with_small (map (* 10) small)), map (map (+ 0)) rows, length pairs + length all - 3)
