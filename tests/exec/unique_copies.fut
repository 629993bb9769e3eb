-- `copy` and all that makes new arrays end an alias.
-- ==
-- input { [1, 2, 3] } output { [9, 2, 3] [8, 2, 3] [3, 2, 7] [1, 6] [5, 3, 4] [4, 3, 6] [1, 2, 3] }
def main [n] (xs: [n]i32) =
  let a = copy xs with [0] = 9
  let b = xs ++ [] with [0] = 8
  let c = copy (reverse xs) with [2] = 7
  let d = copy xs[0:2] with [1] = 6
  let e = map (+ 1) xs with [0] = 5
  let f = scan (+) 0 xs with [0] = 4 with [2] = 6
  in (a, b, c, d, e, f, xs)
