-- Nests one after another over the same cells, the first of which makes its own data: one kernel for
-- many cells, however many nests there are, and nothing in between is stored for all of them.
-- ==
-- input { 3i64 4i64 }
-- output { [0i64, 20i64, 40i64] }
def main (n: i64) (m: i64) : [n]i64 =
  let xss = tabulate n (\i -> map (\j -> i * j) (iota m))
  let yss =
    map (\xs -> loop ys = replicate m 0 for k < m do ys with [k] = xs[m - 1 - k] + ys[k / 2])
        xss
  in map (\ys -> reduce (+) 0 (scan i64.max 0 ys)) yss
