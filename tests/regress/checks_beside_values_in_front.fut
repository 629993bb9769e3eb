-- A scan joined with a reduction of the values in front of its elements: checks of their choice were lost.
def total [n] (choose: f64 -> f64 -> f64) (xs: [n]f64) : f64 =
  let ends = scan (\a x -> f64.min 10 (a + x)) 0 xs
  let before = tabulate n (\i -> if i == 0 then 0 else choose xs[i] (#[unsafe] ends[i - 1]))
  in reduce (\a x -> f64.min 5 (a + x)) 0 (map2 (*) before xs)

-- ==
-- entry: asserts loops
-- input { [1f64, 2f64, 3f64, -1f64, 5f64] } error: H7007
-- input { [1f64, 2f64, 3f64, 4f64, 5f64] } output { 5f64 }
-- input { empty([0]f64) } output { 0f64 }
entry asserts [n] (xs: [n]f64) : f64 = total (\x end -> assert (x > 0) end) xs

entry loops [n] (xs: [n]f64) : f64 =
  total (\x end -> let k = loop k = x while k != 9 do assert (k > 0) (k + 1) in if k < 0 then 3 else end) xs

-- ==
-- entry: cells
-- input { [[1f64, 2f64, 3f64], [1f64, -1f64, 5f64]] } error: H7007
-- input { [[1f64, 2f64, 3f64], [1f64, 1f64, 5f64]] } output { [5f64, 5f64] }
entry cells [m] [n] (xss: [m][n]f64) : [m]f64 = map asserts xss

-- ==
-- entry: reads
-- input { [[1f64, 2f64, 0f64], [1f64, 1f64, 5f64]] } error: H7001
-- input { [[1f64, 2f64, 0f64], [1f64, 1f64, 2f64]] } output { [2f64, 5f64] }
entry reads [m] [n] (xss: [m][n]f64) : [m]f64 =
  map (\xs -> total (\x end -> let y = xs[i64.f64 x] in if y > 1e9 then y else end) xs) xss
