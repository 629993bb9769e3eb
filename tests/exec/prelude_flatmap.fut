-- `flatmap` joins arrays of different sizes and says where they lie.
-- ==
-- entry: main
-- input { [2i64, 0i64, 3i64] }
-- output { [2i64, 0i64, 3i64] [true, false, true, false, false] [0i64, 2i64, 2i64]
--          [0i64, 1i64, 0i64, 1i64, 2i64] [4i64, 0i64, 9i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) empty([0]bool) empty([0]i64) empty([0]i64) empty([0]i64) }
entry main [n] (xs: [n]i64) : ([n]i64, []bool, [n]i64, []i64, [n]i64) =
  flatmap (\x : ([]i64, i64) -> (iota x, x * x)) xs

-- ==
-- entry: without_rest
-- input { [1i64, 2i64] }
-- output { [1i64, 2i64] [true, true, false] [0i64, 1i64] [1i64, 2i64, 2i64] }
entry without_rest [n] (xs: [n]i64) : ([n]i64, []bool, [n]i64, []i64) =
  flatmap' (\x : []i64 -> replicate x x) xs
