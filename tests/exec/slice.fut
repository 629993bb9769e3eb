-- Slices: parts left out, strides, downwards, empty ones anywhere.
-- tolerance: exact
-- ==
-- input { [0i32, 1i32, 2i32, 3i32, 4i32, 5i32] }
-- output { [1i32, 2i32] [0i32, 1i32] [4i32, 5i32] [0i32, 2i32, 4i32] [5i32, 4i32, 3i32, 2i32, 1i32, 0i32]
--   [4i32, 2i32] empty([0]i32) [1i32, 4i32] }
entry main [n] (a: [n]i32) : ([]i32, []i32, []i32, []i32, []i32, []i32, []i32, []i32) =
  (a[1:3], a[:2], a[4:], a[::2], a[::-1], a[4:0:-2], a[3:3], a[1::3])
