-- A segment that fails does so where its element is, before later ones.
-- ==
-- input { [2i64, 0i64] }
-- error: H7003
entry main [n] (xs: [n]i64) = let (_, _, _, d, _) = flatmap (\x -> (map (/ x) (iota 3), x)) xs in d
