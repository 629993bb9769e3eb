-- Arms that store rows: each arm is a launch, and a loop of short steps has one workgroup for all. Rows of two
-- elements: one invocation for the loop.
-- ==
-- input { [[1i32, 2i32], [3i32, 4i32]] [[1i32, 2i32], [3i32, 4i32]] [5i32, 6i32] [7i32, 8i32] [true, false, true] }
-- output { [[5i32, 6i32], [5i32, 6i32]] [[7i32, 8i32], [7i32, 8i32]] }
def main [n] [m] [k] (xs: *[n][m]i32) (ys: *[n][2]i32) (row: [m]i32) (pair: [2]i32) (firsts: [k]bool) : *([n][m]i32, [n][2]i32) =
  ( loop xs for i < k do if firsts[i] then xs with [0] = row else xs with [1] = row
  , loop ys for i < k do if firsts[i] then ys with [0] = pair else ys with [1] = pair
  )
