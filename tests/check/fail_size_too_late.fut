-- The number of copies is known only after the filter.
-- ==
-- error: size `count` of type .* is used before it is known.*H4002
def main (xs: []i32) : []i32 =
  let ones = rep 1
  let ys = filter (> 0) xs
  in map2 (+) ys ones
