-- Cells with a workgroup each whose loops read windows of arrays from outside, which are staged.

def table (n: i64) (m: i64) : [n][m]i32 =
  tabulate_2d n m (\i j -> i32.i64 ((i * 7 + j * 13 + i * j) % 64) - 20)

-- ==
-- entry: blocks rows two_arrays conditional
-- input { 0i64 16i64 }
-- input { 1i64 16i64 }
-- input { 2i64 17i64 }
-- input { 3i64 32i64 }
-- input { 2i64 64i64 }
-- input { 1i64 200i64 }
-- input { 2i64 1i64 }

-- Wavefronts through blocks of a matrix.
entry blocks (n: i64) (m: i64) : [n][n][][]i32 =
  let b = i64.min m 48
  let whole = table (n * b + 1) (n * b + 2)
  in tabulate_2d n n (\r c ->
                        let part = whole[r * b + 1:(r + 1) * b + 1, c * b + 2:(c + 1) * b + 2] :> [b][b]i32
                        let board = replicate b (replicate b 1i32)
                        in loop (board: *[b][b]i32) for d < b do
                             let values =
                               map (\i ->
                                      let j = i64.i32 (i32.i64 d - i32.i64 i) -- which no pass proves to be inside
                                      in if j < 0
                                         then 0
                                         else part[i, j] + (if i > 0 then board[i - 1, j] else 1)
                                              + (if j > 0 then board[i, j - 1] else 2))
                                   (iota b)
                             let places = map (\i -> let j = d - i in if j < 0 then (-1, -1) else (i, j)) (iota b)
                             in scatter_2d board places (map (% 1000) values))

-- Windows of one axis.
entry rows (n: i64) (m: i64) : [n][]i32 =
  let b = i64.min m 100
  let xs = flatten (table n (b + 3))
  in tabulate n (\r ->
                   let part = xs[r * b + r:r * b + r + b] :> [b]i32
                   in loop ys = replicate b 0
                      for i < b do
                        map2 (\y j -> y * 3 + part[(i + j) % b]) ys (iota b) |> map (% 1000))

-- Two windows of the same places, of different extents and types.
entry two_arrays (n: i64) (m: i64) : [n][]f32 =
  let b = i64.min m 40
  let as = table (n + b + 1) (b + 1)
  let bs = map (map f32.i32) (table (n + b) (2 * b))
  in tabulate n (\r ->
                   let one = as[r:r + b + 1, 1:] :> [b + 1][b]i32
                   let two = bs[r:r + b, b:] :> [b][b]f32
                   in loop ys = replicate b 1f32
                      for i < b do
                        map2 (\y j -> y * 0.5 + f32.i32 one[i, j] + two[i, j] + f32.i32 one[i + 1, j]) ys (iota b))

-- Some steps and lanes do not read.
entry conditional (n: i64) (m: i64) : [n][]i32 =
  let b = i64.min m 64
  let as = table (n * b) b
  in tabulate n (\r ->
                   let part = as[r * b:(r + 1) * b] :> [b][b]i32
                   in loop ys = iota b |> map i32.i64
                      for i < b do
                        map2 (\y j -> if (i + j) % 3 == 0 then (y + part[j, i]) % 97 else y)
                             (rotate 1 ys)
                             (iota b))

-- Outside of the window: a failure.
-- ==
-- entry: outside
-- input { 3i64 20i64 }
-- error: 7001
entry outside (n: i64) (m: i64) : [n][]i32 =
  let b = i64.min m 48
  let as = table (n * b + 8) b
  in tabulate n (\r ->
                   let part = as[r * b:(r + 1) * b] :> [b][b]i32
                   in loop ys = replicate b 0
                      for i < b do
                        map2 (\y j -> y + part[(i + j) % (b + 1), j]) ys (iota b))
