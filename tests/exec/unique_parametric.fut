-- A function cannot make values of its type parameters: what it gives back comes from functions it was
-- given, and is new memory if all of them say so.
-- ==
-- entry: piped
-- input { [1, 2] } output { [0, 2] [1, 2] }

-- ==
-- entry: composed
-- input { [1, 2] } output { [0, 2] [1, 2] }

-- ==
-- entry: chosen
-- input { [1, 2] } output { [0, 2] [1, 2] }

-- ==
-- entry: paired
-- input { [1, 2] } output { [0, 2] 2i64 [1, 2] }
def choose 'a 'b (c: bool) (f: a -> b) (g: a -> b) (x: a) : b = if c then f x else g x
def withLength 'b [n] (f: [n]i32 -> b) (xs: [n]i32) : (b, i64) = (f xs, n)

entry piped (xs: []i32) =
  let ys = xs |> copy
  let ys[0] = 0
  in (ys, xs)

entry composed (xs: []i32) =
  let ys = (id >-> copy) xs
  let ys[0] = 0
  in (ys, xs)

entry chosen (xs: []i32) =
  let ys = choose true copy (map (+ 1)) xs
  let ys[0] = 0
  in (ys, xs)

entry paired (xs: []i32) =
  let (ys, n) = withLength copy xs
  let ys[0] = 0
  in (ys, n, xs)
