-- The invariant's cell comes first; cells may be tuples, results another type.
-- tolerance: exact
-- ==
-- input { [10i32, 20i32, 30i32] [1i64, 2i64, 3i64] }
-- output { [12i64, 25i64, 36i64] [true, true, true] }
entry main [n] (ks: [n]i32) (xs: [n]i64) : ([n]i64, [n]bool) =
  unzip (stencil_1d [0, 1]
                    (\k v -> (i64.i32 k + v[0].0 + v[1].0 - (if v[1].1 then 1 else 0), k > 0))
                    ks
                    (zip xs (map (\x -> x < 3) xs)))
