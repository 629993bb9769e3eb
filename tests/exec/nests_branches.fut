-- Branches around parallel code inside maps: outside of them where all cells agree.
-- ==
-- entry: agree
-- input { true [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] } output { [6i32, 15i32] }
-- input { false [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] } output { [6i32, 15i32] }
-- input { true empty([0][3]i32) } output { empty([0]i32) }
-- ==
-- entry: rows
-- input { 1i32 [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [[1i32, 3i32, 6i32], [4i32, 9i32, 15i32]] [6i32, 15i32] }
-- input { 2i32 [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] [0i32, 0i32] }
-- input { 3i32 [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [[3i32, 2i32, 1i32], [6i32, 5i32, 4i32]] [1i32, 4i32] }
-- ==
-- entry: differ
-- input { [[1f32, 2f32, 3f32], [9f32, 16f32, 25f32]] } output { [6f32, 5f32] }
-- ==
-- entry: checked
-- input { true [[1i32, 2i32], [3i32, 4i32]] 5i64 } error: H7001
-- input { false [[1i32, 2i32], [3i32, 4i32]] 5i64 } output { [3i32, 7i32] }
entry agree [n] [m] (flag: bool) (xss: [n][m]i32) : [n]i32 =
  map (\xs -> if flag then i32.sum xs else i32.maximum (scan (+) 0 xs)) xss

-- A carried total beside the branch, and another parallel statement behind it.
entry rows [n] [m] (how: i32) (xss: [n][m]i32) : ([n][m]i32, [n]i32) =
  unzip (map (\xs ->
                let (ys, t) =
                  if how == 1
                  then (scan (+) 0 xs, i32.sum xs)
                  else if how == 2
                  then (xs, 0)
                  else (reverse xs, i32.minimum xs)
                let zs = map2 (\y x -> y + x - x) ys xs
                in (zs, t))
             xss)

-- Each cell goes its own way: one invocation for each.
entry differ [n] [m] (xss: [n][m]f32) : [n]f32 =
  map (\xs -> if xs[0] < 5 then f32.sum xs else f32.maximum (map f32.sqrt xs)) xss

entry checked [n] [m] (flag: bool) (xss: [n][m]i32) (at: i64) : [n]i32 =
  map (\xs -> if flag then i32.sum (map (+ xs[at]) xs) else i32.sum xs) xss
