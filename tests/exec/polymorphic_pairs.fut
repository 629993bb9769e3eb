-- Polymorphic functions at tuples, arrays and arrays of arrays.
-- tolerance: exact
-- ==
-- input { 3i32 }
-- output { 4i32 5i32 true 3i32 [[3i32, 3i32, 3i32], [3i32, 3i32, 3i32], [3i32, 3i32, 3i32]] [3i32, 3i32, 3i32] [0i64, 1i64, 2i64] 9i64 [3i32, 3i32, 3i32] [2u8, 2u8, 2u8] [9i32, 12i32] }
def id' 'a (x: a) = x
def pairmap 'a 'b (f: a -> b) (x: a, y: a) = (f x, f y)
def swap 'a 'b (x: a, y: b) = (y, x)
def rep3 'a (x: a) : [3]a = [x, x, x]
def zipWith 'a 'b 'c [n] (f: a -> b -> c) (a: [n]a) (b: [n]b) : [n]c = map (uncurry f) (zip a b)
def foldmap 'a 'b [n] (f: a -> b) (op: b -> b -> b) (ne: b) (xs: [n]a) : b = reduce op ne (map f xs)

entry main (x: i32) =
  ( pairmap (+ x) (1, 2)
  , swap (x, true)
  , rep3 (rep3 x)
  , zipWith (\a b -> (a, b)) (rep3 x) (iota 3) |> unzip
  , foldmap i64.i32 (+) 0 (rep3 x)
  , id' (rep3 (x, 2u8)) |> unzip
  , foldmap (\x -> [x, x + 1]) (map2 (+)) [0, 0] (rep3 x)
  )
