-- Many cells that sum and scan, a workgroup each: lanes have runs of elements (gpu: `_runs`), few cells
-- and wide ones none.
-- ==
-- input { 1024i64 33i64 }
-- input { 1030i64 100i64 }
-- input { 1024i64 288i64 }
-- input { 1024i64 289i64 }
-- input { 300i64 100i64 }
def main (n: i64) (m: i64) : (i32, i32) =
  let xss = tabulate_2d n m (\i j -> i32.i64 (i * 7919 + j * 104729) % 97)
  let cell xs =
    let sums = scan (+) 0 xs
    let most = scan i32.max i32.lowest (map2 (-) sums xs)
    let all = reduce (+) 0 most
    let (fs, _) =
      unzip (scan (\(a0, a1) (b0, b1) -> (b0 + b1 * a0, a1 * b1)) (0, 1) (zip (map (+ all) most) sums))
    in map2 (+) (reverse fs) sums
  let yss = map cell xss
  in (reduce (+) 0 (flatten yss), reduce i32.max i32.lowest (map last yss))
