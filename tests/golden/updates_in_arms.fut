-- The rows of best predecessors are stored by the kernels of both arms of a branch by sizes.

def main [s] (t: i64) (trans: [s][s]i32) (p: [s]i32) : [t][s]i32 =
  let least (a: i32) (b: i32): i32 = if a <= b then a else b
  let (_, back) =
    loop (p, back) = (p, replicate t (replicate s 0))
    for k < t do
      let best j = reduce least i32.highest (map2 (\q x -> q * 3 + x % 7) p trans[j])
      let (ps, bs) = unzip (tabulate s (\j -> let b = best j in (p[j] + 1, b)))
      in (ps, back with [k] = bs)
  in back

-- Sums of rows are stored in the row of the step.
entry sums [s] (t: i64) (a: [s][s]i32) : [t][s]i32 =
  loop rows = replicate t (replicate s 1) for k < t do
    let row = map (\r -> i32.sum (map (+ i32.i64 k) r)) a
    in rows with [k] = row
