-- A branch decides no size that a parameter's type leaves open: each use of the function does.

-- ==
-- entry: whole
-- input { [1, 2, 3] true } output { [1] }
-- input { [1, 2, 3] false } output { [1, 2, 3] }
entry whole (xs: []i32) (cut: bool) = (\ys -> if cut then take 1 ys else ys) xs

-- ==
-- entry: other
-- input { [1, 2, 3] true } output { [1] }
-- input { [1, 2, 3] false } output { [1, 2, 3] }
entry other (xs: []i32) (cut: bool) = (\ys -> if cut then take 1 xs else ys) xs

def cut b xs = if b then take 1i64 xs else xs

-- ==
-- entry: calls
-- input { [1, 2, 3] true } output { 1i64 }
-- input { [1, 2, 3] false } output { 3i64 }
entry calls (xs: []i32) (b: bool) = length (cut b xs)

-- ==
-- entry: filtered
-- input { [5, 3, 8, 1] } output { [8] }
entry filtered (xs: []i32) : []i32 =
  loop xs while length xs > 1 do
    filter (> xs[0]) xs |> (\ys -> if null ys then take 1 xs else ys)

-- Rows of a map have one size, so the branches do.
-- ==
-- entry: rows
-- input { [[1, 2], [3, 4]] [7, 8] } output { [[7, 8], [3, 4]] }
entry rows [n] [m] (xss: [n][m]i32) (xs: [m]i32) = map2 (\row i -> if i == 0 then xs else row) xss (iota n)
