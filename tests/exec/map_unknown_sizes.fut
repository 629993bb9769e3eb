-- Inside a map sizes may differ as long as the result does not show them.
-- tolerance: exact
-- ==
-- input { [3i64, 0i64, 2i64] }
-- output { [6i64, 0i64, 3i64] [6i64, 0i64, 0i64] }
entry main [n] (ks: [n]i64) =
  map (\k -> let xs = iota k let ys = filter (\x -> x % 2 == 0) xs let zs = loop acc = ys for _i < 2 do acc ++ ys in (length zs, i64.sum zs)) ks |> unzip
