-- The size of a field that is taken last is one that only the result knows, for callers as well.
-- ==
-- entry: summed
-- input { 3 } output { 3 6 }

def made (w: i32) = let w = i64.i32 w in {world = replicate w 1i32} |> id |> (.world)
entry summed (w: i32) = (i32.sum (made w), i32.sum (map (+ 1) (made w)))
