-- Duplicates by the last writer: of the array of owners, only what was written is read.
-- ==
-- entry: distinct
-- input { 5i64 [3i64, 1i64, 3i64, 1i64, 0i64] } output { [3i64, 1i64, 0i64] }
-- input { 5i64 empty([0]i64) } output { empty([0]i64) }
-- input { 5i64 [3i64, 7i64] } error: out of bounds
entry distinct [k] (n: i64) (is: [k]i64) : []i64 =
  let owner = scatter (replicate n i64.highest) (reverse is) (reverse (iota k))
  let own = map2 (\i v -> owner[i] == v) is (iota k)
  in map (.0) (filter (.1) (zip is own))

-- In a loop, each time other owners.
-- ==
-- entry: rounds
-- input { 4i64 [3i64, 1i64, 3i64, 0i64] } output { [2i64, 1i64, 2i64, 3i64] }
entry rounds [k] (n: i64) (is: [k]i64) : [k]i64 =
  loop ys = iota k
  for _i < 3 do
    let owner = scatter (replicate n (-1)) is ys
    in map2 (\i y -> i64.max owner[i] y) is ys
