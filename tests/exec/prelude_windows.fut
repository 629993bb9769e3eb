-- `pad` and `slide` (docs/language.md#stencils), alone and together as a stencil.
-- ==
-- entry: pads
-- input { [1i32, 2i32, 3i32] }
-- output { [1i32, 1i32, 1i32, 2i32, 3i32, 3i32] [2i32, 1i32, 1i32, 2i32, 3i32, 3i32]
--          [2i32, 3i32, 1i32, 2i32, 3i32, 1i32] [9i32, 9i32, 1i32, 2i32, 3i32, 9i32] }
entry pads [n] (xs: [n]i32) : ([2 + n + 1]i32, [2 + n + 1]i32, [2 + n + 1]i32, [2 + n + 1]i32) =
  (pad_1d 2 1 #clamp xs, pad_1d 2 1 #mirror xs, pad_1d 2 1 #wrap xs, pad_1d 2 1 (#constant 9) xs)

-- ==
-- entry: empty
-- input { empty([0]i32) } output { [7i32, 7i32] }
entry empty (xs: [0]i32) : []i32 = pad_1d 1 1 (#constant 7) xs

-- ==
-- entry: negative
-- input { [1i32] -1i64 } error: .*
entry negative [n] (xs: [n]i32) (l: i64) : []i32 = pad_1d l 1 #clamp xs

-- ==
-- entry: pads_2d
-- input { [[1i32, 2i32], [3i32, 4i32]] }
-- output { [[0i32, 0i32, 0i32, 0i32], [1i32, 2i32, 2i32, 2i32], [3i32, 4i32, 4i32, 4i32]] }
entry pads_2d [n] [m] (xs: [n][m]i32) : [][]i32 = pad_2d 1 0 0 2 (#constant 0, #clamp) xs

-- ==
-- entry: pads_3d
-- input { [[[1i32, 2i32]]] }
-- output { [[[5i32, 5i32, 5i32], [5i32, 5i32, 5i32]], [[1i32, 2i32, 1i32], [1i32, 2i32, 1i32]]] }
entry pads_3d [n] [m] [k] (xs: [n][m][k]i32) : [][][]i32 =
  pad_3d 1 0 0 1 0 1 (#constant 5, #clamp, #wrap) xs

-- ==
-- entry: slides
-- input { [1i32, 2i32, 3i32, 4i32, 5i32] }
-- output { [[1i32, 2i32, 3i32], [2i32, 3i32, 4i32], [3i32, 4i32, 5i32]]
--          [[1i32, 2i32, 3i32], [3i32, 4i32, 5i32]] }
entry slides [n] (xs: [n]i32) : ([][3]i32, [][3]i32) = (slide_1d 3 1 xs, slide_1d 3 2 xs)

-- ==
-- entry: uneven
-- input { [1i32, 2i32, 3i32, 4i32] } error: .*
-- input { [1i32] } error: .*
entry uneven [n] (xs: [n]i32) : [][3]i32 = slide_1d 3 2 xs

-- ==
-- entry: slides_2d
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [[[[1i32, 2i32], [4i32, 5i32]], [[2i32, 3i32], [5i32, 6i32]]]] }
entry slides_2d [n] [m] (xs: [n][m]i32) : [][][2][2]i32 = slide_2d 2 1 2 1 xs

-- ==
-- entry: slides_3d
-- input { [[[1i32, 2i32], [3i32, 4i32]], [[5i32, 6i32], [7i32, 8i32]]] }
-- output { [[[10i32, 12i32]], [[18i32, 20i32]]] [[[1i32], [2i32]]] }
entry slides_3d (xs: [2][2][2]i32) : ([][][]i32, [][][]i32) =
  let windows = slide_3d 1 1 2 1 1 1 xs
  in ( map (map (map (\w -> i32.sum (flatten (flatten w)) + 6))) windows
     , map (\_ -> map (\i -> [xs[0, 0, i]]) (iota 2)) (iota 1)
     )

-- Both together are a stencil.
-- ==
-- entry: together
-- input { [1i32, 2i32, 4i32, 8i32] } output { true true }
entry together [n] (xs: [n]i32) : (bool, bool) =
  let sum3 b = stencil_1d_with b [-1, 0, 1] (\_ v -> i32.sum v) (rep ()) xs
  let slid (b: boundary i32) = map i32.sum (slide_1d 3 1 (pad_1d 1 1 b xs))
  in (sized n (slid #clamp) == sum3 #clamp, sized n (slid #wrap) == sum3 #wrap)
