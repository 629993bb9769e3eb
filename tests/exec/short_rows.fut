-- Loops over arrays of short rows, with and without reasons to store their elements apart.
-- ==
-- entry: steps
-- input { 4i64 0i64 } output { 22i32 [[0i32, 1i32, 2i32], [3i32, 4i32, 5i32], [6i32, 7i32, 8i32], [9i32, 10i32, 11i32]] }
-- input { 4i64 3i64 } output { 21i32 [[994i32, 3i32, 3i32], [994i32, 3i32, 3i32], [6i32, 6i32, 3i32], [997i32, 9i32, 3i32]] }
-- input { 0i64 3i64 } output { 0i32 empty([0][3]i32) }
-- input { 300i64 5i64 }

def turned (x: [3]i32) : [3]i32 = [x[1], x[2] - x[0], x[0] + 1]

-- | The result leaves, too.
entry steps (n: i64) (count: i64) : (i32, [n][3]i32) =
  let start = tabulate_2d n 3 (\i j -> i32.i64 (i * 3 + j))
  let last =
    loop xss = start
    for _i < count do
      let yss = map turned xss
      in tabulate n (\i -> [yss[(i + 1) % n, 0] % 1000, yss[i, 1] % 1000, yss[i64.max 0 (i - 1), 2]])
  in (i32.sum (map (\x -> x[1]) last), last)

-- ==
-- entry: inside
-- input { 50i64 4i64 } output { 1150i32 }

-- | Nothing leaves; loops in loops, two arrays that change places, and one that a branch gives.
entry inside (n: i64) (count: i64) : i32 =
  let start = tabulate_2d n 3 (\i j -> i32.i64 (i * 3 + j))
  let (a, b) =
    loop (a, b) = (start, map turned start)
    for i < count do
      let c =
        loop (c: [n][3]i32) = a
        for _j < i do
          map2 (\x y -> [x[0] + y[1], x[1], (x[2] - y[0]) % 100]) c b
      in (b, if i == 2 then map turned c else c)
  in i32.sum (map2 (\x y -> x[0] - y[2]) a b)

-- ==
-- entry: gathered
-- input { 40i64 3i64 } output { 10694i32 }

-- | Places from data, rows that are summed, and rows that are updated.
entry gathered (n: i64) (count: i64) : i32 =
  let start = tabulate_2d n 4 (\i j -> i32.i64 ((i * 5 + j * 3) % 17))
  let last =
    loop xss = start
    for _i < count do
      let totals = map i32.sum xss
      let yss = map (\t -> let x = xss[i64.i32 (t % 1000) % n] in [x[3], x[0], x[1], x[2] + 1]) totals
      in map2 (\y t -> copy y with [i64.i32 (t % 4)] = t % 50) yss totals
  in i32.sum (map (\x -> x[0] * x[3]) last)

-- ==
-- entry: within
-- input { 60i64 4i64 } output { 2570i32 }

-- | A loop in a loop, each over rows that lie by element; sums read them.
entry within (n: i64) (count: i64) : i32 =
  let last =
    loop xss = tabulate_2d n 3 (\i j -> i32.i64 (i * 3 + j))
    for i < count do
      let yss = loop (yss: [n][3]i32) = xss for _j < i do map turned yss
      in map2 (\x y -> [x[0] - y[2], (x[1] + y[0]) % 100, y[1]]) xss yss
  in i32.sum (map i32.sum last)
