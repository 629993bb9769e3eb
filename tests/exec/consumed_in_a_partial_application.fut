-- An argument of a partial application may consume what it has made itself: each call of the
-- function starts with the value as it was.
-- ==
-- entry: reads
-- input { 5i64 } output { [4i64, 10i64, 11i64, 12i64, 13i64] 21i64 }
-- ==
-- entry: writes
-- input { 5i64 } output { [1i64, 2i64, 3i64, 4i64, 5i64] 7i64 }
def reads_at [k] (ys: [k]i64) : i64 -> i64 = \i -> ys[i % k] + i

def add_to [k] (ys: *[k]i64) (i: i64) : i64 =
  let ys[0] = ys[0] + i
  in ys[0] + ys[k - 1]

entry reads (n: i64) : ([]i64, i64) =
  let f = reads_at (let ys = replicate n 9 in ys with [0] = 4)
  in (map (reads_at (let ys = replicate n 9 in ys with [0] = 4)) (iota n), f 1 + (f >-> (1 +)) 0 + 6)

entry writes (n: i64) : ([]i64, i64) =
  let f = add_to (let ys = replicate n 0 in ys with [n - 1] = 1)
  in (map (add_to (let ys = replicate n 0 in ys with [n - 1] = 1)) (iota n), f 2 + f 3)
