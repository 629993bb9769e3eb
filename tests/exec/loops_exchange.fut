-- The array of an inner loop is the next one of the loop around it: memory changes hands, also where
-- the inner loop has no iteration, where branches choose, and where an array is wanted twice.

-- ==
-- entry: nested
-- input { 3i64 0i64 } output { [0i32, 1i32, 2i32, 3i32] }
-- input { 0i64 3i64 } output { [0i32, 1i32, 2i32, 3i32] }
-- input { 1i64 1i64 } output { [1i32, 2i32, 3i32, 4i32] }
-- input { 3i64 2i64 } output { [6i32, 7i32, 8i32, 9i32] }
-- input { 4i64 3i64 } output { [12i32, 13i32, 14i32, 15i32] }
entry nested (n: i64) (m: i64) : [4]i32 =
  loop xs = [0, 1, 2, 3]
  for _i < n do
    loop ys = xs
    for _j < m do
      map (+ 1) ys

-- ==
-- entry: counted_down
-- input { 3i64 5i64 } output { [7i32, 8i32, 9i32] [0i32, 1i32, 2i32] }
-- input { 2i64 0i64 } output { [0i32, 1i32, 2i32] [0i32, 1i32, 2i32] }
entry counted_down (n: i64) (m: i64) : ([3]i32, [3]i32) =
  let first: [3]i32 = map i32.i64 (iota 3)
  let xs =
    loop xs = first
    for i < n do
      (loop (ys, j) = (xs, m - i * 2)
       while j > 1 do
         (map (+ 1) ys, j - 1)).0
  in (map2 (+) xs (replicate 3 (i32.bool (m > 0))), first)

-- An arm gives the array from outside, the other one a loop's.
-- ==
-- entry: arms
-- input { 5i64 2i64 } output { [40i32, 43i32, 46i32] }
-- input { 1i64 2i64 } output { [0i32, 1i32, 2i32] }
-- input { 2i64 0i64 } output { [10i32, 11i32, 12i32] }
entry arms (n: i64) (m: i64) : [3]i32 =
  loop (xs: [3]i32) = map i32.i64 (iota 3)
  for i < n do
    let ys =
      if i % 2 == 0
      then xs
      else loop ys = map (+ 10) xs
           for _j < m do
             if i == 3 then map2 (+) ys xs else map (+ 0) ys
    in if i % 3 == 2 then map (+ 0) ys else ys

-- Both results are one array, and one is read afterwards.
-- ==
-- entry: twice
-- input { 3i64 2i64 } output { [6i32, 7i32, 8i32] [6i32, 7i32, 8i32] 42i32 }
-- input { 2i64 0i64 } output { [0i32, 1i32, 2i32] [0i32, 1i32, 2i32] 6i32 }
entry twice (n: i64) (m: i64) : ([3]i32, [3]i32, i32) =
  let start: [3]i32 = map i32.i64 (iota 3)
  in loop (xs, ys, sum) = (start, start, 0)
     for _i < n do
       let zs =
         loop zs = xs
         for _j < m do
           map (+ 1) zs
       in (zs, zs, sum + zs[1] * i32.bool (m > 0) + i32.sum ys)

-- Two arrays by turns, in both loops.
-- ==
-- entry: turns
-- input { 3i64 3i64 } output { [15i32, 16i32, 17i32] [22i32, 23i32, 24i32] }
-- input { 1i64 0i64 } output { [10i32, 11i32, 12i32] [0i32, 1i32, 2i32] }
entry turns (n: i64) (m: i64) : ([3]i32, [3]i32) =
  let start: [3]i32 = map i32.i64 (iota 3)
  in loop (xs: [3]i32, ys: [3]i32) = (start, map (+ 10) start)
     for _i < n do
       let (a, b) =
         loop (a: [3]i32, b: [3]i32) = (xs, ys)
         for _j < m do
           (map (+ 1) b, map (+ 2) a)
       in (b, a)
