-- What makes keys belongs to the kernel of a sort: keys that are made of what goes along are no
-- result. Products and sums of floats stay outside: they may be rounded together, or not.
-- ==
-- input { [2u32, 1u32] [1f32, 2f32] [-1i32, -2i32] }
-- output { [1u32, 2u32] [2f32, 1f32] [-2i32, -1i32] [3f32, 5f32] }
def main [n] (xs: [n]u32) (ys: [n]f32) (zs: [n]i32) : ([n]u32, [n]f32, [n]i32, [n]f32) =
  let (xs', ys') = unzip (u32.sort_by_key (\(x, _) -> x ^ 4) (zip xs ys))
  in (xs', ys', i32.sort zs, f32.sort (map (\y -> y * 2 + 1) ys))
