-- Histograms of as many elements as a filter keeps, in a loop that a count ends.
-- tolerance: exact

-- Each round adds what is left of the numbers to bins, and keeps those above a threshold that they give.
-- ==
-- entry: sums
-- input { 9i64 4i64 }
-- output { [29796i64, 20881i64, 4378i64, 19513i64] 20i32 }
-- input { 3000i64 7i64 }
-- output { [3821160i64, 3792213i64, 3785791i64, 3813824i64, 3792440i64, 3817053i64, 3828157i64] 20i32 }
entry sums (n: i64) (bins: i64) : ([bins]i64, i32) =
  let xs = tabulate n (\i -> (i * 7919 + i / 3) % 1009)
  let (counts, _, rounds) =
    loop (counts, least, rounds) = (replicate bins 0, 0, 0)
    while least < 1009 && rounds < 20 do
      let left = filter (>= least) xs
      let next = reduce_by_index (copy counts) (+) 0 (map (% bins) left) left
      in (next, least + 1 + (i64.sum next) % 97, rounds + 1)
  in (counts, rounds)

-- ==
-- entry: smallest
-- input { 9i64 4i64 }
-- output { [0i32, 137i32, 468i32, 615i32] 20i32 }
-- input { 3000i64 7i64 }
-- output { [0i32, 46i32, 50i32, 96i32, 51i32, 97i32, 101i32] 20i32 }
entry smallest (n: i64) (bins: i64) : ([bins]i32, i32) =
  let xs = tabulate n (\i -> i32.i64 ((i * 7919 + i / 3) % 1009))
  let (found, _, rounds) =
    loop (found, least, rounds) = (replicate bins 5000, 0, 0)
    while least < 1009 && rounds < 20 do
      let left = filter (>= least) xs
      let next = reduce_by_index (copy found) i32.min 5000 (map (\x -> i64.i32 x % bins) left) left
      in (map2 (\a b -> if b < 5000 then a + b % 7 else a) next next, least + 1 + (i32.sum next) % 97, rounds + 1)
  in (found, rounds)
