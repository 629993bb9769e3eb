-- What the thesis on LIFT's stencils says must hold (seed 004, T1 to T11), on pad, slide and map.
-- tolerance: exact

def sum_3 (w: []i32) = i32.sum w
def rows [n] [m] [a] [b] (w: [n][m][a][b]i32) = map (map (\v -> i32.sum (flatten v))) w

-- T1, T5: the three-point Jacobi of E1, plain and in overlapped tiles.
-- ==
-- entry: jacobi
-- input { [1, 2, 3, 4, 5] } output { [4, 6, 9, 12, 14] }
-- input { [1, 2, 3, 4, 5, 6] } output { [4, 6, 9, 12, 15, 17] }
entry jacobi [n] (xs: [n]i32) = map sum_3 (slide_1d 3 1 (pad_1d 1 1 #clamp xs))

-- ==
-- entry: jacobi_tiled
-- input { [1, 2, 3, 4, 5, 6] } output { [4, 6, 9, 12, 15, 17] }
entry jacobi_tiled [n] (xs: [n]i32) =
  flatten (map (\tile -> map sum_3 (slide_1d 3 1 tile)) (slide_1d 5 3 (pad_1d 1 1 #clamp xs)))

-- T2: a to g are 1 to 7.
-- ==
-- entry: padded
-- input { [1, 2, 3, 4, 5, 6, 7] }
-- output { [1, 1, 2, 3, 4, 5, 6, 7, 7, 7] [1, 1, 2, 3, 4, 5, 6, 7, 7, 6] [7, 1, 2, 3, 4, 5, 6, 7, 1, 2]
--          [9, 1, 2, 3, 4, 5, 6, 7, 9, 9] }
entry padded [n] (xs: [n]i32) =
  (pad_1d 1 2 #clamp xs, pad_1d 1 2 #mirror xs, pad_1d 1 2 #wrap xs, pad_1d 1 2 (#constant 9) xs)

-- ==
-- entry: slid
-- input { 3i64 1i64 7i64 } output { [[1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6], [5, 6, 7]] }
-- input { 2i64 2i64 6i64 } output { [[1, 2], [3, 4], [5, 6]] }
-- input { 1i64 2i64 7i64 } output { [[1], [3], [5], [7]] }
-- input { 4i64 2i64 6i64 } output { [[1, 2, 3, 4], [3, 4, 5, 6]] }
-- input { 2i64 2i64 7i64 } error: H7015
entry slid (size: i64) (step: i64) (n: i64) = slide_1d size step (map (\i -> i32.i64 i + 1) (iota n))

-- T3: five-point sums.
-- ==
-- entry: five_points
-- input { [1, 2, 4, 8, 16, 32] }
-- output { [9, 16, 31, 62, 92, 120] [10, 16, 31, 62, 92, 104] [55, 47, 31, 62, 61, 59] }
entry five_points [n] (xs: [n]i32) =
  let of_ b = map sum_3 (slide_1d 5 1 (pad_1d 2 2 b xs))
  in (of_ #clamp, of_ #mirror, of_ #wrap)

-- T4: three by three.
-- ==
-- entry: nine_points
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] }
-- output { [[21, 27, 33], [39, 45, 51], [57, 63, 69]] [[21, 27, 33], [39, 45, 51], [57, 63, 69]]
--          [[45, 45, 45], [45, 45, 45], [45, 45, 45]] }
entry nine_points [n] [m] (xs: [n][m]i32) =
  let of_ b = rows (slide_2d 3 1 3 1 (pad_2d 1 1 1 1 (b, b) xs))
  in (of_ #clamp, of_ #mirror, of_ #wrap)

-- T6: tiles of 5 at a step of 2 do not tile windows of 3: they hold some of them twice.
-- ==
-- entry: wrong_tiles
-- input { [1, 2, 3, 4, 5, 6, 7] } output { [[1, 2, 3], [2, 3, 4], [3, 4, 5], [3, 4, 5], [4, 5, 6], [5, 6, 7]] }
entry wrong_tiles (xs: [7]i32) = flatten (map (slide_1d 3 1) (slide_1d 5 2 xs))

-- T7: heat, E2.
-- ==
-- entry: heat
-- input { 0.25f32 [0f32, 0f32, 16f32, 0f32, 0f32] } output { [0f32, 4f32, 8f32, 4f32, 0f32] }
entry heat [n] (c: f32) (xs: [n]f32) =
  map (\w -> c * w[0] + (1 - 2 * c) * w[1] + c * w[2]) (slide_1d 3 1 (pad_1d 1 1 #clamp xs))

-- T8: a convolution with a product of two vectors is two convolutions.
-- ==
-- entry: separable
-- input { 1i64 1i64 } output { true true true }
-- input { 5i64 9i64 } output { true true true }
-- input { 23i64 17i64 } output { true true true }
entry separable (n: i64) (m: i64) =
  let xs = tabulate_2d n m (\i j -> i32.i64 ((i * 7 + j * 13) % 31))
  let (kx, ky) = ([1, 3, -2, 5, 4], [2, -1, 7, 3, 1])
  let whole b =
    map (map (\w -> i32.sum (flatten (map2 (\y -> map2 (\x v -> y * x * v) kx) ky w))))
        (slide_2d 5 1 5 1 (pad_2d 2 2 2 2 (b, b) xs))
  let parts b =
    let across = map (map (\w -> i32.sum (map2 (*) kx w[0]))) (slide_2d 1 1 5 1 (pad_2d 0 0 2 2 (b, b) xs))
    in map (map (\w -> i32.sum (map2 (\y v -> y * v[0]) ky w))) (slide_2d 5 1 1 1 (pad_2d 2 2 0 0 (b, b) across))
  let same [a] [b] [c] [d] (x: [a][b]i32) (y: [c][d]i32) =
    a == c && b == d && and (map2 (==) (flatten x) (flatten y :> [a * b]i32))
  in (same (whole #clamp) (parts #clamp), same (whole #mirror) (parts #mirror), same (whole #wrap) (parts #wrap))

-- T9: E3 to E10, engine against engine.
-- ==
-- entry: others
-- input { 1i64 1i64 }
-- input { 4i64 3i64 }
-- input { 19i64 33i64 }
entry others (n: i64) (m: i64) =
  let xs = tabulate_2d n m (\i j -> i32.i64 ((i * 7 + j * 13) % 31))
  let line = map (\i -> i32.i64 (i % 13)) (iota (n * m))
  let conv_17 = map (\w -> i32.sum (map2 (*) (map i32.i64 (iota 17)) w)) (slide_1d 17 1 (pad_1d 8 8 #mirror line))
  let life =
    map (map (\x -> if x > 1 && x < 4 then 1 else 0i32))
        (rows (slide_2d 3 1 3 1 (pad_2d 1 1 1 1 (#constant 0, #constant 0) (map (map (% 2)) xs))))
  let blur =
    map (map (\w -> 0.0778f32 * (f32.i32 w[0, 0]) + 0.1233f32 * f32.i32 w[0, 1] + 0.1953f32 * f32.i32 w[1, 1]))
        (slide_2d 3 1 3 1 (pad_2d 1 1 1 1 (#clamp, #clamp) xs))
  let sobel =
    map (map (\w -> (w[0, 2] - w[0, 0]) + 2 * (w[1, 2] - w[1, 0]) + (w[2, 2] - w[2, 0])))
        (slide_2d 3 1 3 1 (pad_2d 1 1 1 1 (#clamp, #wrap) xs))
  in (conv_17, life, blur, sobel)

-- T10: the index arithmetic of views is gone: what is printed is element j of row i.
-- ==
-- entry: views
-- input { 3i64 4i64 } output { [[0i64, 1i64, 2i64, 3i64], [4i64, 5i64, 6i64, 7i64], [8i64, 9i64, 10i64, 11i64]] }
entry views (n: i64) (m: i64) =
  transpose (unflatten (flatten (transpose (unflatten (iota (n * m))))))

-- T11: a bar of three, as printed there (the own cell counts).
-- ==
-- entry: survive
-- input { [[0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]] }
-- output { [[0, 0, 0, 0, 0], [0, 1, 1, 1, 0], [0, 1, 1, 1, 0], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0]] }
entry survive [n] [m] (xs: [n][m]i32) =
  map (map (\x -> if x > 1 && x < 4 then 1 else 0i32))
      (rows (slide_2d 3 1 3 1 (pad_2d 1 1 1 1 (#clamp, #clamp) xs)))
