-- A definition that uses its own name is recursive, unless only an older one of that name fits.
module rows = {
  type row [n] = {cells: [n]i32, name: i32}
  def map [n] (f: i32 -> i32) (r: row [n]) : row [n] = {cells = map f r.cells, name = r.name}
  def length [n] (r: row [n]) = length r.cells
  def (++) [n] [m] (a: row [n]) (b: row [m]) : row [n + m] = {cells = a.cells ++ b.cells, name = a.name}
}

def head (pair: ([]i32, i32)) = head pair.0 + pair.1

-- ==
-- entry: main
-- input { [1, 2] } output { [2i32, 3i32, 1i32, 2i32] 4i64 4i32 }
entry main (xs: []i32) =
  let r = rows.map (+ 1) {cells = xs, name = 3}
  let s = rows.(r ++ {cells = xs, name = 4})
  in (s.cells, rows.length s, head (xs, 3))

-- ==
-- entry: sum
-- input { 4 } output { 10i32 }
entry sum (n: i32) : i32 = if n == 0 then 0 else n + sum (n - 1)
