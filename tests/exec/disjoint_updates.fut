-- Loops that change an array in place, each iteration at another place of one dimension: they run
-- in vectors. Beside them loops whose iterations read what earlier ones have written.
-- tolerance: exact

def table (n: i64) (m: i64) : [n][m]f64 =
  tabulate_2d n m (\i j -> if i == j then 64 else f64.i64 ((i * 7 + j * 3) % 11 - 4) / 8)

def weighed [n] [m] (a: [n][m]f64) : f64 =
  loop s = 0 for i < n do loop s for j < m do s + a[i, j] * f64.i64 ((i * 3 + j * 5) % 13 - 6)

-- An elimination of unknowns.
-- ==
-- entry: eliminate
-- input { 1i64 } output { -384.0f64 }
-- input { 37i64 } output { -180.11708511649064f64 }
entry eliminate (n: i64) : f64 =
  let a =
    loop a = table n n
    for k < n - 1 do
      loop a for i in (k + 1)..<n do
        let m = a[i, k] / a[k, k]
        let a[i, k] = m
        in loop a for j in (k + 1)..<n do a with [i, j] = a[i, j] - m * a[k, j]
  in weighed a

-- Rows that may be one: row `i` takes from itself.
-- ==
-- entry: own_row
-- input { 40i64 3i64 } output { -1725.75f64 }
-- input { 40i64 0i64 } output { 1396.75f64 }
entry own_row (n: i64) (k: i64) : f64 =
  let a = loop a = table 5 n for i < 5 do loop a for j < n do a with [i, j] = a[i, j] + 2 * a[k, j]
  in weighed a

-- A column is changed by its place in another row; two arrays at once.
-- ==
-- entry: columns
-- input { 33i64 } output { 440.609375f64 }
entry columns (n: i64) : f64 =
  let (a, b) =
    loop (a, b) = (table n 4, table n 6)
    for i < n do
      let x = a[i, 1] - b[i, 5]
      let y = b[i, 2] + x * a[i, 3]
      in (a with [i, 0] = y, b with [i, 4] = x)
  in weighed a - weighed b

-- Iterations that depend on earlier ones: of the place in front, of a fixed place, of a transposed place.
-- ==
-- entry: chain
-- input { 35i64 } output { -1936.9375f64 }
entry chain (n: i64) : f64 =
  let a = loop a = table 3 n for j < n - 1 do a with [1, j + 1] = a[1, j + 1] / 2 + a[1, j]
  let b = loop b = table 3 n for j < n do b with [2, j] = b[2, j] + b[2, 17]
  let c = loop c = table n n for j < n do c with [5, j] = c[5, j] + c[j, 5]
  let d = loop d = table 2 n for j < n do d with [1, n - 1 - j] = d[1, j] + 1
  in weighed a + 2 * weighed b + 3 * weighed c + 4 * weighed d

-- Places that are out of range, behind others that are not.
-- ==
-- entry: outside
-- input { 40i64 40i64 } output { -51.375f64 }
-- input { 40i64 41i64 } error: out of range
entry outside (n: i64) (m: i64) : f64 =
  weighed (loop a = table 2 n for j < m do a with [1, j] = a[1, j] - a[0, j])
