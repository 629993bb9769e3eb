-- Segments whose lengths take work to know are made once, in memory that grows; what fails does so at
-- its element, whichever way it is done.
-- tolerance: exact
-- ==
-- entry: filtered
-- input { [5i64, 0i64, 1i64, 9i64, 2i64] }
-- output { [2i64, 0i64, 0i64, 4i64, 1i64] [0i64, 2i64, 2i64, 2i64, 6i64] [true, false, true, false, false, false, true]
--          [1i64, 3i64, 1i64, 3i64, 5i64, 7i64, 1i64] [4i64, 0i64, 0i64, 16i64, 1i64] }
-- input { empty([0]i64) }
-- output { empty([0]i64) empty([0]i64) empty([0]bool) empty([0]i64) empty([0]i64) }
-- input { [1i64] }
-- output { [0i64] [0i64] empty([0]bool) empty([0]i64) [0i64] }
entry filtered [n] (xs: [n]i64) =
  let (shapes, flags, offsets, data, sums) =
    flatmap (\x -> let odd = filter (\i -> i % 2 == 1) (iota x) in (odd, i64.sum odd)) xs
  in (shapes, offsets, flags, data, sums)

-- ==
-- entry: pairs
-- input { [3i64, 0i64, 4i64] }
-- output { [[0i64, 0i64], [2i64, 6i64], [0i64, 0i64], [2i64, 8i64]] [0i32, 2i32, 0i32, 2i32]
--          [[3i64, 2i64], [0i64, 0i64], [4i64, 2i64]] }
entry pairs [n] (xs: [n]i64) =
  let (_, _, _, data, rest) =
    flatmap (\x ->
               let even = filter (\i -> i % 2 == 0) (iota x)
               in (map (\i -> ([i, i * x], i32.i64 i)) even, [x, length even]))
            xs
  let (rows, numbers) = unzip data
  in (rows, numbers, rest)

-- ==
-- entry: many
-- input { 1000i64 }
-- output { 500500i64 83333250i64 }
entry many (n: i64) =
  let (_, _, _, data, _) = flatmap (\x -> (filter (<= x) (iota n), ())) (iota n)
  in (length data, i64.sum data / 2)

-- ==
-- entry: fails
-- input { [2i64, 0i64, -1i64] }
-- error: H7003
-- input { [2i64, -1i64, 0i64] }
-- error: H7005
-- input { [2i64, 1i64] }
-- output { 3i64 }
entry fails [n] (xs: [n]i64) =
  let (_, _, _, data, _) = flatmap (\x : ([]i64, i64) -> (map (\i -> i / x) (iota (x + 1 - 1)), 6 / x)) xs
  in length (filter (== 0) data)

-- ==
-- entry: fails_in_segment
-- input { [2i64, 0i64, -3i64] }
-- error: H7003
-- input { [2i64, -3i64, 0i64] }
-- error: H7005
entry fails_in_segment [n] (xs: [n]i64) =
  let (_, _, _, data, _) = flatmap (\x -> (filter (\i -> 6 / x > i) (iota (x + 1)), ())) xs
  in length data

-- ==
-- entry: of_units
-- input { [2i64, 0i64, 3i64] }
-- output { 5i64 [2i64, 0i64, 3i64] [4i64, 0i64, 9i64] }
-- input { [2i64, -1i64] }
-- error: H7005
entry of_units [n] (xs: [n]i64) =
  let (shapes, _, _, data, rest) = flatmap (\x : ([](), i64) -> (replicate x (), x * x)) xs
  in (length data, shapes, rest)

-- ==
-- entry: nested
-- input { [[1i64, 2i64], [3i64, 0i64]] }
-- output { [3i64, 3i64] }
-- input { [[1i64, 2i64, 3i64, 7i64], [3i64, 0i64, 0i64, 1i64]] }
-- output { [13i64, 4i64] }
entry nested [n] [m] (xss: [n][m]i64) =
  map (\xs -> let (_, _, _, data, _) = flatmap (\x -> (filter (>= 0) (iota x), ())) xs in length data) xss
