-- Where nothing else tells, unknown sizes are the parts of a sum, and the factors of a product, as
-- these were written.
-- ==
-- entry: blocks
-- input { [1, 2, 3, 4, 5, 6, 7, 8] }
-- output { [6i32, 15i32] [7i32, 8i32] }
-- input { [1, 2] }
-- output { empty([0]i32) [1i32, 2i32] }
-- ==
-- entry: turned
-- input { [[1, 2], [3, 4], [5, 6]] }
-- output { [[0i32, 1i32, 4i32], [9i32, 11i32, 15i32]] }

def sums [n] [m] [r] (xs: [n * m + r]i32) : ([n]i32, [r]i32) =
  let (blocks, rest) = split xs
  in (map i32.sum (unflatten blocks), rest)

entry blocks [k] (xs: [k]i32) =
  let m = 3i64
  let n = k / m
  let r = k % m
  in sums (sized (n * m + r) xs)

def before xs =
  let s = rotate (-1) (scan (+) 0 xs)
  in s with [0] = 0

def running [n] (rows: [n][2]i32) (more: [2]i32) =
  rows ++ [more] |> transpose |> flatten |> before |> unflatten

entry turned (xs: [3][2]i32) = running xs[:2] xs[2]
