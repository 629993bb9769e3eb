-- tabulate in one, two and three dimensions.
-- tolerance: exact
-- ==
-- input { 2i64 3i64 }
-- output { [0i64, 1i64] [[0i64, 1i64, 2i64], [10i64, 11i64, 12i64]]
--   [[[0i64, 1i64], [10i64, 11i64], [20i64, 21i64]], [[100i64, 101i64], [110i64, 111i64], [120i64, 121i64]]] }
-- ==
-- input { 0i64 2i64 }
-- output { empty([0]i64) empty([0][2]i64) empty([0][2][2]i64) }
entry main (n: i64) (m: i64) : ([n]i64, [n][m]i64, [n][m][2]i64) =
  ( tabulate n (\i -> i)
  , tabulate_2d n m (\i j -> 10 * i + j)
  , tabulate_3d n m 2 (\i j k -> 100 * i + 10 * j + k)
  )
