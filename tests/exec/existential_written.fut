-- `?[k].` names a size that only the result knows.
-- ==
-- input { [1, -2, 3] }
-- output { [1, 3] 2i64 }
def positive (xs: []i32) : ?[k].([k]i32, [k]bool) =
  let ys = filter (> 0) xs in (ys, map (> 0) ys)

def main (xs: []i32) = let (ys, bs) = positive xs in (map2 (\y b -> if b then y else 0) ys bs, length bs)
