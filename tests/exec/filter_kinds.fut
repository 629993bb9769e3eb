-- Filters and partitions of every kind of element; alone, inside of a map, several of one array, failing.
-- ==
-- entry: pairs
-- input { [3, -1, 4, -1, 5] [1f32, 2f32, 3f32, 4f32, 5f32] } output { [3, 4, 5] [1f32, 3f32, 5f32] }
-- input { empty([0]i32) empty([0]f32) } output { empty([0]i32) empty([0]f32) }
-- ==
-- entry: rows
-- input { [[1, 2], [0, 5], [3, 3]] } output { [[1, 2], [3, 3]] }
-- input { empty([0][2]i32) } output { empty([0][2]i32) }
-- ==
-- entry: halves
-- input { [5, 2, 8, 1, 9, 4] } output { [2, 8, 4] [5, 1, 9] }
-- input { [2] } output { [2] empty([0]i32) }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i32) }
-- ==
-- entry: thirds
-- input { [5, -2, 8, 0, -9, 4, 0] } output { [-2, -9] [0, 0] [5, 8, 4] }
-- ==
-- entry: inside
-- input { [[3, -1, 4], [-1, -5, -9], [2, 6, 5]] } output { [7, 0, 13] }
-- ==
-- entry: twice
-- input { [1, 2, 3, 4, 5, 6, 7, 8] } output { [2, 4, 6, 8] [3, 6] 2i64 }
-- ==
-- entry: sums
-- input { [1, 2, 3, 4] } output { [20, 40] }
-- ==
-- entry: divided
-- input { [6, 3, 0, 2] 12 } error: division by zero.*H7003
-- input { [6, 3, 5, 2] 12 } output { [6, 3, 2] }
-- ==
-- entry: shrinking
-- input { [9, 4, 7, 1, 8, 3] } output { [9, 8] 5 }
-- ==
-- entry: used_again
-- input { [4, 0, 5, 0, 6] } output { [4, 5, 6] [4, 4, 9, 9, 15] }
entry pairs [n] (xs: [n]i32) (ys: [n]f32) = unzip (filter (\(x, _) -> x > 0) (zip xs ys))

entry rows [n] (xs: [n][2]i32) : [][2]i32 = filter (\row -> row[0] > 0) xs

entry halves (xs: []i32) = partition (\x -> x % 2 == 0) xs

entry thirds (xs: []i32) = partition2 (< 0) (== 0) xs

entry inside (xs: [][]i32) = map (\row -> i32.sum (filter (> 0) row)) xs

entry twice (xs: []i32) =
  let evens = filter (\x -> x % 2 == 0) xs
  let threes = filter (\x -> x % 3 == 0) xs
  in (evens, threes, length threes)

type parity = #even i32 | #odd i32

entry sums (xs: []i32) =
  map (\s -> match s case #even x -> x * 10 case #odd _ -> 0)
      (filter (\s -> match s case #even _ -> true case #odd _ -> false)
              (map (\x -> (if x % 2 == 0 then #even x else #odd x) : parity) xs))

entry divided (xs: []i32) (k: i32) = filter (\x -> k % x == 0) xs

-- A loop whose array shrinks: each round gives a new one.
entry shrinking (xs: []i32) =
  loop (ys, k) = (xs, 1) while length ys > 3 do (filter (\y -> y > 2 * k + 1) ys, k + 2)

-- The scan has another use, so it is stored: a filter written out.
entry used_again [n] (xs: [n]i32) =
  let flags = map (\x -> i64.bool (x != 0)) xs
  let ends = scan (+) 0 flags
  let k = i64.sum flags
  let kept = scatter (replicate n 0) (map2 (\f e -> if f == 1 then e - 1 else -1) flags ends) xs
  in (kept[:k], map2 (\e _ -> i32.sum kept[:e]) ends xs)
