-- Rows of running sums whose elements are sums themselves: the elements first, then tiles of rows.
def main [m] [n] (weights: [m][8]f32) (xs: [n][8]f32) : [m][n]f32 =
  map (\w -> scan (+) 0 (map (\x -> f32.sum (map2 (*) w x)) xs)) weights
