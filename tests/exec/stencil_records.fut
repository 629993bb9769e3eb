-- Stencils over tuples, with tuples as invariant, and with wild offsets.
-- tolerance: exact
-- ==
-- entry: stenc
-- input { [[1f32,2f32],[3f32,4f32],[5f32,6f32]] }
-- output { [[0.0f32, 0.0f32], [-8.0f32, -10.0f32], [-22.0f32, -26.0f32]] [[0i64, 1i64], [2i64, 3i64], [4i64, 5i64]] }
-- tolerance: exact
-- ==
-- entry: stdyn
-- input { [1,2,3,4] [9223372036854775807i64, -9223372036854775808i64, 0i64] }
-- output { [6i32, 7i32, 8i32, 9i32] }
-- tolerance: exact
-- ==
-- entry: sttup
-- input { [1,2,3,4] [1.5f32,2f32,3f32,4f32] }
-- output { [3i32, 4i32, 6i32, 7i32] [3.0f32, 4.5f32, 8.0f32, 12.0f32] }

entry stenc [n] [m] (xs: [n][m]f32) = stencil_2d [(-1, 0), (0, 0), (0, 1)] (\(a, k) v -> (a + v[0] - v[1] * v[2], k)) (zip (flatten xs) (iota (n * m)) |> unflatten) xs |> map unzip |> unzip
entry stdyn (xs: []i32) (os: []i64) = stencil_1d os (\() v -> i32.sum v) (map (const ()) xs) xs
entry sttup [n] (xs: [n]i32) (ys: [n]f32) = stencil_1d [-1, 1] (\() v -> (v[0].0 + v[1].0, v[0].1 * v[1].1)) (rep ()) (zip xs ys) |> unzip
