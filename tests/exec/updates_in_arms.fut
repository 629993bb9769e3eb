-- Loops that keep a row of each step which versions of a nest make, by sizes: Viterbi's algorithm and
-- rows that only some of the steps replace.

def better (a: f32, i: i64) (b: f32, j: i64) : (f32, i64) =
  if a > b || (a == b && i < j) then (a, i) else (b, j)

-- ==
-- entry: viterbi
-- input { 1i64 3i64 }
-- input { 9i64 1i64 }
-- input { 12i64 7i64 }
-- input { 8i64 16i64 }
-- input { 8i64 17i64 }
-- input { 5i64 300i64 }
entry viterbi (t: i64) (s: i64) : ([t]i64, [s]f32) =
  let trans = tabulate_2d s s (\i j -> f32.i64 ((i * 7 + j * 5) % 11))
  let emit = tabulate_2d t s (\k i -> f32.i64 ((k * 3 + i * 13) % 17))
  let (last, back) =
    loop (p, back) = (copy emit[0], replicate t (replicate s 0))
    for k in 1..<t do
      let best j = reduce better (-f32.inf, s) (map2 (\i q -> (q + trans[i, j], i)) (iota s) p)
      let (ps, bs) = unzip (tabulate s best)
      in (map2 (+) ps emit[k], back with [k] = bs)
  let (_, end) = reduce better (-f32.inf, s) (zip last (iota s))
  let path =
    loop path = replicate t end
    for k in 1..<t do
      path with [t - 1 - k] = back[t - k, path[t - k]]
  in (path, last)

-- The state of a step reads the row that the step before has stored.
-- ==
-- entry: reads_rows
-- input { 4i64 3i64 }
-- input { 6i64 40i64 }
entry reads_rows (t: i64) (s: i64) : [t][s]i64 =
  let a = tabulate_2d s s (\i j -> (i * 7 + j * 5) % 11)
  in loop rows = replicate t (iota s)
     for k in 1..<t do
       let ys = map (\r -> i64.sum (map2 (\x y -> x * y % 13) r rows[k - 1])) a
       in rows with [k] = ys
