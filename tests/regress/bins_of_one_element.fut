-- Reverse mode of a histogram by products: the only element of a bin had the next bin's product as a factor, where a
-- product is 0 or not normal.
-- ==
-- entry: gradient
-- input { [0.0, 5.0] [1.0, 1.0, 0.0] } output { [1.0, 1.0] }
-- input { [3.0, 0.0, 2.0, 7.0] [1.0, 10.0, 100.0] } output { [7.0, 10.0, 100.0, 3.0] }
-- input { [f64.inf, 5.0, 3.0] [1.0, 1.0, 1.0] } output { [1.0, 1.0, 1.0] }
entry gradient [n] (xs: [n]f64) (ws: [3]f64) =
  vjp (\xs -> hist (*) 1 3 (map (% 3) (iota n)) xs) xs ws
