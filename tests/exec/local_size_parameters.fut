-- A local function may have size and type parameters of its own.
-- ==
-- input { [1, 2, 3] [true, false] }
-- output { 2i64 1i64 [3, 2, 1] }
def main (xs: []i32) (ys: []bool) =
  let less [n] 'a (zs: [n]a) = n - 1
  let flip [n] (zs: [n]i32): [n]i32 = map (\i -> zs[n - 1 - i]) (iota n)
  in (less xs, less ys, flip xs)
