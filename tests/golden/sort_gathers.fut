-- Maps that gather by the order of one sort are parts of its kernel.
-- ==
-- input { [3, 1, 2] [1f32, 2f32, 3f32] } output { [1, 2, 3] [2f32, 3f32, 1f32] }
def main [n] (xs: [n]i32) (ys: [n]f32) : ([n]i32, [n]f32) =
  let order = i32.sort_order xs
  let zs = map (\i -> xs[i]) order
  in (zs, map (\i -> ys[i]) order)
