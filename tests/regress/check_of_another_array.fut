-- An index that a sort's order gives is one of the sorted array, not of all others: the check of a shorter one
-- went with the checks of the sorted array (a result on the GPU instead of the failure).
-- ==
-- input { [3u32, 1u32, 2u32] [1, 2, 3] } output { [1u32, 2u32, 3u32] }
-- input { [3u32, 1u32, 2u32] [1, 2] } error: out of range
def main [n] [m] (xs: [n]u32) (ys: [m]i32) : [n]u32 =
  map (\i -> let _ = ys[i] in xs[i]) (u32.sort_order xs)
