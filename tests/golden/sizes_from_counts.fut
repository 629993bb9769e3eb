-- Products with a count, elements of running counts, and two sizes of a step that are read at its
-- end.

entry main [n] (width: i64) (xs: [n]i64) : i64 =
  let (_, _, sum) =
    loop (ends, ys, s) = ([0, 1], xs, 0)
    while length ys > 0 do
      let kept = filter (\y -> y % 3 == 0) ys
      let cells = map (\i -> kept[i / width] + i % width) (iota (length kept * width))
      let ones = map (\e -> i64.bool (e % 2 == 0)) ends
      let sums = scan (+) 0 ones
      let places = map3 (\i s o -> i + s - o) (indices ends) sums ones
      let more = scatter (replicate (length ends + last sums) s) places ends
      in (more, filter (> s) (map (/ 5) kept), s + i64.sum cells + 1)
  in sum
