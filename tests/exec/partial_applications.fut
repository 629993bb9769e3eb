-- Functions that were given some of their arguments, also built-in ones.
-- tolerance: exact
-- ==
-- input { 5i32 [1i32,2i32,3i32] }
-- output { 21i32 [11i32, 12i32, 13i32] 13i64 [10i32, 15i32, 20i32] [9i32, 10i32, 11i32] [8i32, 10i32, 12i32] 3i32 5i32 }
def twice f x = f (f x)
def mapWith [n] (f: i32 -> i32) (xs: [n]i32) = let g = map f in g xs
def sizes [n] (xs: [n]i32) : (i64 -> i64) = \k -> k + n
def const2 a _ = a
def pipe [n] 'a (fs: (a -> a, a -> a)) (xs: [n]a) : [n]a = xs |> map fs.0 |> map fs.1

entry main [n] (x: i32) (xs: [n]i32) =
  let h = let y = x * 2 in \z -> z + y
  let add a b c = a + b + c + x
  let p = add 1
  let q = p 2
  in ( twice (twice (+ x)) 1
     , mapWith h xs
     , sizes xs 10
     , pipe ((+ 1), (* x)) xs
     , map q xs
     , map2 p xs xs
     , const2 3i32 xs
     , reduce_comm (\a b -> if a > b then a else b) i32.lowest (map (const2 x) xs)
     )
