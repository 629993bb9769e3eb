-- Functions as values: partial application, sections, captured variables, functions in tuples.
-- tolerance: exact
-- ==
-- input { 10i32 [1i32, 2i32, 3i32] }
-- output { [11i32, 12i32, 13i32] [9i32, 8i32, 7i32] [-9i32, -8i32, -7i32] [12i32, 14i32, 16i32] [21i32, 22i32, 23i32] }
def twice (f: i32 -> i32) (x: i32) : i32 = f (f x)
def add3 (x: i32) (y: i32) (z: i32) : i32 = x + y + z

entry main [n] (k: i32) (a: [n]i32) =
  let shift = add3 k 0
  let (f, g) = (\x -> x + 5i32, (* 2i32))
  in (map shift a, map (k -) a, map (\x -> x - k) a, map (\x -> g (f x)) a, map (twice (+ k)) a)
