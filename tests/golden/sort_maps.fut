-- What makes keys and what is made of them belong to the kernel of a sort: keys that are made of
-- what goes along are no result.
-- ==
-- input { [2u32, 1u32] [1f32, 2f32] [-1i32, -2i32] }
-- output { [1u32, 2u32] [2f32, 1f32] [-2i32, -1i32] }
def main [n] (xs: [n]u32) (ys: [n]f32) (zs: [n]i32) : ([n]u32, [n]f32, [n]i32) =
  let (xs', ys') = unzip (u32.sort_by_key (\(x, _) -> x ^ 4) (zip xs ys))
  in (xs', ys', i32.sort zs)
