-- The last element of a slice that begins at 1: its place is known as soon as it is computed.
-- ==
-- input { [[1, 2], [3, 4]] [[1, 2, 3], [3, 4, 5]] 2i64 1i64 } output { [29, 29] }
def main [n] [k] [m] (a: [n][k]i32) (b: [k][m]i32) (q: i64) (i: i64) : []i32 =
  let part = b[:, 1:q + 1]
  in map (\_ -> loop s = 0 for l < k do s + a[i, l] * part[l, q - 1]) (iota n)
