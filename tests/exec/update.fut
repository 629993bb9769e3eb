-- `with` leaves the old array alone for its other readers.
-- tolerance: exact
-- ==
-- input { 5i32 }
-- output { [5i32, 1i32, 2i32] [0i32, 1i32, 2i32] [0i32, 9i32, 2i32] }
entry main (x: i32) : ([3]i32, [3]i32, [3]i32) =
  let a = [0i32, 1, 2]
  let b = copy a with [0] = x
  let c = copy a
  let c[1] = 9i32
  in (b, a, c)
