-- A name of a loop for the size of two arrays.
-- ==
-- input { 2i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64] [0i64, 1i64, 0i64, 1i64, 2i64] }
entry main (n: i64) =
  loop [m] (xs: [m]i64, ys: [m]i64) = (iota n, iota n) for i < 3i64 do (xs ++ [m], ys ++ [i])
