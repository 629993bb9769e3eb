-- `scatter` consumes its destination.
-- ==
-- error: `xs` is a parameter without `\*`
def main (xs: []i32) (is: []i64) (vs: []i32) : []i32 =
  let (is, vs) = unzip (zip (sized 3 is) (sized 3 vs))
  in scatter xs is vs
