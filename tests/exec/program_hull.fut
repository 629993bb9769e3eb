-- Convex hull: sequential updates of arrays of records.
-- ==
-- input { [0f64, 1f64, 2f64, 1f64, 1f64] [0f64, 2f64, 0f64, 1f64, -1f64] }
-- output { [0.0f64, 1.0f64, 2.0f64, 1.0f64] [0.0f64, -1.0f64, 0.0f64, 2.0f64] }
type point = {x: f64, y: f64}
def cross (a: point) (b: point) (c: point) = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)

def chain [n] (ps: [n]point) =
  let (st, k) =
    loop (st, k) = (replicate n {x = 0, y = 0}, 0i64)
    for p in ps do
      let k = loop k while k >= 2 && cross st[k - 2] st[k - 1] p <= 0 do k - 1
      in (st with [k] = p, k + 1)
  in st[:k]

def less (a: point) (b: point) = a.x < b.x || (a.x == b.x && a.y < b.y)
def sort [n] (ps: *[n]point) = loop ps for i < n do loop ps for j < n - 1 do if less ps[j + 1] ps[j] then let a = copy ps[j] let b = copy ps[j + 1] in ps with [j] = b with [j + 1] = a else ps

entry main [n] (xs: [n]f64) (ys: [n]f64) =
  let ps = sort (map2 (\x y -> {x, y}) xs ys)
  let lower = chain ps
  let upper = chain (reverse ps)
  let h = init lower ++ init upper
  in (map (.x) h, map (.y) h)
