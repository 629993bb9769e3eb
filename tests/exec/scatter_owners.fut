-- Duplicates by one writer of each: of the array of owners, only what was written is read. Which
-- writer it is, nobody says; so the number of distinct places and their sum.
-- ==
-- entry: distinct
-- input { 5i64 [3i64, 1i64, 3i64, 1i64, 0i64] } output { 3i64 4i64 }
-- input { 5i64 empty([0]i64) } output { 0i64 0i64 }
-- input { 5i64 [3i64, 7i64] } error: out of range
entry distinct [k] (n: i64) (is: [k]i64) : (i64, i64) =
  let owner = scatter (replicate n i64.highest) (reverse is) (reverse (iota k))
  let own = map2 (\i v -> owner[i] == v) is (iota k)
  let kept = map (.0) (filter (.1) (zip is own))
  in (length kept, i64.sum kept)

-- In a loop, each time other owners.
-- ==
-- entry: rounds
-- input { 4i64 [3i64, 1i64, 2i64, 0i64] } output { [0i64, 8i64, 16i64, 24i64] }
entry rounds [k] (n: i64) (is: [k]i64) : [k]i64 =
  loop ys = iota k
  for _i < 3 do
    let owner = scatter (replicate n (-1)) is ys
    in map2 (\i y -> owner[i] + y) is ys
