-- Ranges between literals, negative ones too, have sizes that do not depend on their surroundings.
-- ==
-- entry: pairs
-- input { } output { [[-1i64, 0i64, 1i64], [0i64, 1i64, 2i64], [1i64, 2i64, 3i64]] }
-- ==
-- entry: below
-- input { 2i64 } output { [[2i32, 1i32, 0i32, -1i32], [3i32, 2i32, 1i32, 0i32]] }
-- ==
-- entry: neighbours
-- input { [[1, 2], [3, 4]] } output { [[10, 10], [10, 10]] }
entry pairs = map (\i -> map (\j -> i + j) (-1...1)) (0i64...2)

entry below (n: i64) = map (\i -> map (+ i32.i64 i) (2..>-2)) (iota n)

entry neighbours [n] [m] (xs: [n][m]i32) =
  let at y x = if y >= 0 && y < n && x >= 0 && x < m then xs[y, x] else 0
  in tabulate_2d n
                 m
                 (\y x ->
                    map (\dy -> map (\dx -> at (y + dy) (x + dx)) (-1..<2)) (-1...1)
                    |> flatten
                    |> i32.sum)
