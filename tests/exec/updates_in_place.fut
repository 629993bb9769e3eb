-- Loops that write an array they make into a part of another one: in place where the part is not
-- read, through a copy where it may be.

def mean [n] (xs: [n]i32) : *[n]i32 =
  stencil_1d [-1, 0, 1] (\() v -> v[0] + v[1] + v[2]) (rep ()) xs

-- Reads the row before.

-- ==
-- entry: history backwards same other whole two
-- input { 4i64 [1, 2, 3] }
-- input { 0i64 [1, 2, 3] }
-- input { 3i64 empty([0]i32) }
entry history [n] (steps: i64) (start: [n]i32) : [][n]i32 =
  loop states = replicate (steps + 1) start
  for i < steps do
    states with [i + 1] = mean states[i]

entry backwards [n] (steps: i64) (start: [n]i32) : [][n]i32 =
  loop states = replicate (steps + 1) start
  for k < steps do
    let i = steps - k
    in states with [i - 1] = mean states[i]

-- Reads the row that it writes.
entry same [n] (steps: i64) (start: [n]i32) : [][n]i32 =
  loop states = replicate (steps + 1) start
  for i < steps do
    states with [i] = mean states[i]

-- Reads some row.
entry other [n] (steps: i64) (start: [n]i32) : [][n]i32 =
  loop states = replicate (steps + 1) start
  for i < steps do
    let j = i * i % (steps + 1)
    in states with [i] = mean states[j]

-- Reads all rows.
entry whole [n] (steps: i64) (start: [n]i32) : [][n]i32 =
  loop states = replicate (steps + 1) start
  for i < steps do
    states with [i + 1] = map2 (+) states[i] (map i32.sum (transpose states))

-- Two histories by one kernel; the sum of a row is wanted as well.
entry two [n] (steps: i64) (start: [n]i32) : ([][n]i32, [][n]i64, i64) =
  let start_states = replicate (steps + 1) start
  let start_squares = replicate (steps + 1) (map i64.i32 start)
  in loop (states, squares, total) = (start_states, start_squares, 0)
     for i < steps do
       let (next, square) =
         unzip (map (\x -> (2 * x + 1, i64.i32 x * i64.i32 x)) states[i])
       in (states with [i + 1] = next, squares with [i] = square, total + i64.sum square)

-- ==
-- entry: history
-- input { 3i64 [1, 2, 3] }
-- output { [[1, 2, 3], [4, 6, 8], [14, 18, 22], [46, 54, 62]] }

-- Rows of planes.

-- ==
-- entry: planes
-- input { 3i64 2i64 }
-- output { [[[0, 1], [1, 2], [2, 3]], [[0, 2], [2, 4], [4, 6]]] }
entry planes (n: i64) (m: i64) : [2][n][m]i32 =
  let start = tabulate_3d 2 n m (\_ j k -> i32.i64 (j + k))
  in loop all = start for j < n do all with [1, j] = map (2 *) (tabulate m (\k -> i32.i64 (j + k)))
