-- Updates of rows, slices and single cells of a matrix.
-- tolerance: exact
-- ==
-- input { [7i32, 8i32, 9i32] }
-- output { [[0i32, 0i32, 0i32], [7i32, 8i32, 9i32]] [[0i32, 8i32, 9i32], [0i32, 0i32, 5i32]]
--   [[7i32, 0i32, 0i32], [8i32, 0i32, 0i32]] }
entry main (v: [3]i32) : ([2][3]i32, [2][3]i32, [2][3]i32) =
  let zero = replicate 2 (replicate 3 0i32)
  let a = copy zero with [1] = v
  let b = copy zero with [0, 1:3] = v[1:3]
  let b = b with [1, 2] = 5i32
  let c = copy zero with [0:2, 0] = v[0:2]
  in (a, b, c)
