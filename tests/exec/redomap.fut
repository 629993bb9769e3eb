-- What compilers fuse: map into map, map into reduce, map into scan, several reductions.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32, 3i32, 4i32] }
-- output { 30i32 [1i32, 5i32, 14i32, 30i32] [3i32, 5i32, 7i32, 9i32] 14i32 4i32 }
-- ==
-- input { empty([0]i32) }
-- output { 0i32 empty([0]i32) empty([0]i32) -2i32 0i32 }
entry main [n] (a: [n]i32) =
  let squares = map (\x -> x * x) a
  let odd = map (\x -> x + 1) (map (\x -> x * 2) a)
  let total = reduce (+) 0 (map2 (\x y -> x - y) odd (map (\x -> x - 1) (map (\_ -> 3i32 / 1 - 0) a)))
  in (reduce (+) 0 squares, scan (+) 0 squares, odd, total - 2, reduce i32.max 0 a)
