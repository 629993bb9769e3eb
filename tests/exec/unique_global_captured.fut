-- A definition without parameters may be a function that holds another definition.
-- ==
-- input { 1i64 } output { [3i64, 4i64] [9i64, 4i64] [3i64, 4i64] }
def table : [][]i64 = [[1, 2], [3, 4]]
def rowOf [n] 'a (xs: [n]a) (i: i64) : a = xs[i]
def row = rowOf table

def main (i: i64) =
  let before = copy (row i)
  let changed = copy (row i) with [0] = 9
  in (before, changed, copy (row i))
