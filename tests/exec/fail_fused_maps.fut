-- Two maps that a compiler would fuse fail at different elements: the first map's failure counts.
-- ==
-- input { [1i64, 2i64, 9i64, 3i64] [5i64, 6i64, 7i64, 8i64] }
-- error: `\[9.`.*H7001.*fail_fused_maps.fut:9:23
-- ==
-- input { [1i64, 2i64, 3i64, 0i64] [5i64, 6i64, 77i64, 0i64] }
-- error: `\[72.`.*H7001.*fail_fused_maps.fut:10:17
entry main [n] (is: [n]i64) (xs: [n]i64) : [n]i64 =
  let ys = map (\i -> xs[i]) is
  in map (\y -> xs[y - 5]) (map (\y -> y) ys)
