-- Steps that subtract the state before the last. The gradient's loop carries an older cotangent in place of its negative.
-- ==
-- entry: waves
-- input { 0i64 [1f32, 2f32, 3f32, 4f32] } output { [0f32, -2f32, 4f32, 2f32] [0f32, -2f32, 4f32, 2f32] }
-- input { 1i64 [1f32, 2f32, 3f32, 4f32] } output { [-4f32, 10f32, -4f32, 10f32] [-4f32, 10f32, -4f32, 10f32] }
-- input { 3i64 [1f32, 2f32, 3f32, 4f32] }
-- input { 8i64 [1f32, 0f32, -1f32, 2f32] }
entry waves [n] (k: i64) (xs: [n]f32) : ([n]f32, [n]f32) =
  let steps (c: f32) (xs: [n]f32) =
    let (_, last) =
      loop (old, now) = (xs, xs)
      for _i < k do
        (now, stencil_1d [-1, 0, 1] (\o v -> c * (v[0] + v[2]) - o) old now)
    in last
  let weights = map (\i -> f32.i64 ((i * 5) % 4 * 2 - i % 2 * 4)) (iota n)
  let unrolled = map (\i -> jvp (steps 2) xs (map (\j -> f32.bool (i == j)) (iota n))) (iota n)
  in (vjp (steps 2) xs weights, map (\row -> f32.sum (map2 (*) row weights)) unrolled)

-- Carried and negated by hand: read by a node, by a window, as a result of its own; both start as one array.
-- ==
-- entry: negated
-- input { 0i64 [[1i32, 2i32], [3i32, 4i32]] }
-- output { [[1i32, 2i32], [3i32, 4i32]] [[1i32, 2i32], [3i32, 4i32]] [[1i32, 2i32], [3i32, 4i32]] }
-- input { 1i64 [[1i32, 2i32], [3i32, 4i32]] }
-- output { [[-1i32, -2i32], [-3i32, -4i32]] [[2i32, 6i32], [12i32, 20i32]] [[-1i32, -2i32], [-3i32, -4i32]] }
-- input { 4i64 [[1i32, 2i32], [3i32, 4i32]] }
entry negated [n] [m] (k: i64) (xs: [n][m]i32) : ([n][m]i32, [n][m]i32, [n][m]i32) =
  loop (a, b, c) = (xs, xs, xs)
  for _i < k do
    ( map (map i32.neg) b
    , map3 (map3 (\a b c -> a + b * c - (c - a))) a b c
    , map (map i32.neg) a
    )
