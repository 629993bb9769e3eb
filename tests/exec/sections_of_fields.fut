-- Sections that project and index, and their composition.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32, 3i32] 1i64 }
-- output { [10i32, 20i32, 30i32] [3i64, 2i64, 1i64] [2i32, 20i32] [6i32, 60i32] }
entry main [n] (a: [n]i32) (i: i64) =
  let tens = map (* 10) a
  let pairs = map2 (\x y -> (x, (y, 5 - y))) tens (map i64.i32 a)
  in (map (.0) pairs, map (\r -> r - 1) (map (.1.1) pairs), map (.[i]) [a, tens], map i32.sum [a, tens])
