-- Reductions of reductions: level by level where the outer levels are few or the rows long (gpu/plan/nests/nested_reductions).
-- ==
-- entry: sums
-- input { 3i64 2i64 4i64 } output { 276i64 }
-- input { 0i64 2i64 4i64 } output { 0i64 }
-- input { 2i64 0i64 4i64 } output { 0i64 }
-- input { 2i64 3i64 0i64 } output { 0i64 }
-- input { 1i64 1i64 1i64 } output { 0i64 }
-- input { 2i64 40000i64 3i64 } output { 28799880000i64 }
-- input { 2i64 3i64 700i64 } output { 8817900i64 }
entry sums (a: i64) (b: i64) (c: i64) : i64 =
  let xs = tabulate_3d a b c (\i j k -> i * b * c + j * c + k)
  in i64.sum (map (\x -> i64.sum (map i64.sum x)) xs)

-- ==
-- entry: largest_of_sums
-- input { 3i64 2i64 4i64 } output { [6i64, 38i64, 70i64] [28i64, 92i64, 156i64] }
-- input { 2i64 0i64 4i64 } output { [-9223372036854775808i64, -9223372036854775808i64] [0i64, 0i64] }
entry largest_of_sums (a: i64) (b: i64) (c: i64) =
  let xs = tabulate_3d a b c (\i j k -> i * b * c + j * c + k)
  let best = map (\x -> i64.maximum (map (\y -> i64.sum y - 16 * i64.bool (c == 4)) x)) xs
  in (best, map (\x -> i64.sum (map i64.sum x)) xs)

-- ==
-- entry: windows
-- input { 2i64 3i64 6i64 } output { [432i64, 576i64] }
-- input { 2i64 3i64 2i64 } output { [0i64, 0i64] }
entry windows (a: i64) (c: i64) (n: i64) =
  map (\p ->
         i64.sum (flatten (tabulate_2d (n - 2)
                                       (n - 2)
                                       (\i j ->
                                          i64.sum (tabulate c (\k ->
                                                                 i64.sum (tabulate 3 (\d -> (p + 1) * k + (i + d) % 2 + j))))))))
      (iota a)
