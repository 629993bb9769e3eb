-- Two- and three-dimensional histograms and scatters.
-- tolerance: exact
-- ==
-- input { [0i64, 1i64, 0i64, 2i64] [1i64, 0i64, 1i64, 0i64] [1i32, 2i32, 3i32, 4i32] }
-- output { [[10i32, 14i32], [12i32, 10i32]] [[0i32, 4i32], [2i32, 0i32]] [[[0i32], [4i32]], [[2i32], [0i32]]] [[[0i32], [3i32]], [[2i32], [0i32]]] }
entry main [n] (is: [n]i64) (js: [n]i64) (vs: [n]i32) =
  let h = reduce_by_index_2d (replicate 2 (replicate 2 10)) (+) 0 (zip is js) vs
  let h0 = reduce_by_index_2d (replicate 2 (replicate 2 0)) (+) 0 (zip is js) vs
  let h3 =
    reduce_by_index_3d (replicate 2 (replicate 2 [0]))
                       (+)
                       0
                       (zip3 is js (replicate n 0))
                       vs
  let s =
    scatter_3d (replicate 2 (replicate 2 [0]))
               (zip3 is js (map (* 0) is))
               (map2 (\i v -> if i == 0 then 3 else v) is vs)
  in (h, h0, h3, s)
