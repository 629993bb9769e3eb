-- A size that changes from step to step is carried in front of the array, and so is that of a
-- branch; both become results of the entry.
def main [n] (c: bool) (xs: [n]i32) : ([]i32, []i32) =
  let ys = loop ys = xs for _i < 3 do ys ++ ys
  let zs = if c then xs[1:] else xs
  in (ys, zs)
