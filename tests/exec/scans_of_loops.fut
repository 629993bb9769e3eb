-- Scans and filters of elements that loops make: a map with the loop, then a scan in one pass.
-- ==
-- entry: steps
-- input { [1i64, 2i64, 3i64, 7i64] }
-- output { [0i64, 1i64, 8i64, 24i64] }
-- ==
-- entry: steps
-- input { empty([0]i64) }
-- output { empty([0]i64) }
-- ==
-- entry: kept
-- input { [1i64, 2i64, 3i64, 7i64, 9i64] }
-- output { [3i64, 7i64, 9i64] [7i64, 16i64, 19i64] }
-- ==
-- entry: divided
-- input { [1i64, 0i64, 3i64] }
-- error: H7003
-- ==
-- entry: divided
-- input { [1i64, 2i64, 4i64] }
-- output { [16i64, 20i64, 21i64] }
def collatz (x: i64) : i64 =
  (loop (y, k) = (x, 0)
   while y > 1 do
     (if y % 2 == 0 then y / 2 else 3 * y + 1, k + 1)).1

entry steps [n] (xs: [n]i64) : [n]i64 = scan (+) 0 (map collatz xs)

entry kept (xs: []i64) : ([]i64, []i64) =
  unzip (filter (\(_, k) -> k > 1) (zip xs (map collatz xs)))

entry divided [n] (xs: [n]i64) : [n]i64 =
  scan (+) 0 (map (\x -> loop y = 16 for _i < 1 + x / x do y / x) xs)
