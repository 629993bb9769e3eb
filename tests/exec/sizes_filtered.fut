-- Sizes that only values tell, through functions, branches and loops.
-- tolerance: exact
-- ==
-- input { [5i32, 3i32, 8i32, 1i32, 9i32, 2i32] }
-- output { [3i32, 1i32, 2i32, 5i32, 8i32, 9i32] [3i32, 1i32, 2i32] [5i32, 8i32, 9i32] [5i32, 8i32, 9i32] 3i64 }
def partition' [n] 'a (p: a -> bool) (xs: [n]a) : ([]a, []a) = (filter p xs, filter (\x -> !(p x)) xs)

entry main [n] (xs: [n]i32) =
  let (a, b) = partition' (< 5) xs
  let c = a ++ b
  let (d, e) = if length a > 2 then (a, b) else (b, a)
  let r = loop ys = xs for i < 3 do filter (> i32.i64 i * 2) (ys ++ [i32.i64 i])
  in (c, d, e, r, length r)
