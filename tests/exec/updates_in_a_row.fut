-- Updates of single elements, each of the array that the one before has left: one kernel for many.
-- ==
-- entry: ends
-- input { 5i64 3i32 } output { [5i32, 6i32, 6i32, 9i32, 3i32] }
-- input { 2i64 3i32 } error: out of range
-- ==
-- entry: sums
-- input { 5i64 3i32 } output { [0i32, 3i32, 6i32, 9i32, 12i32] [30i32, 31i32, 6i32, 7i32, 0i32] }
-- input { 5i64 7i32 } error: index `\[7\]` is out of range
-- ==
-- entry: rows
-- input { 3i64 2i32 } output { [[7i32, 2i32, 9i32], [1i32, 2i32, 9i32], [2i32, 6i32, 4i32]] }
-- ==
-- entry: steps
-- input { 3i64 2i32 } output { [199i32, 198i32, 197i32] }
entry ends (n: i64) (x: i32) =
  let xs = map (\i -> i32.i64 i * x) (iota n)
  in xs with [0] = 1 with [n - 1] = x with [1] = xs[2] with [0] = 5

entry sums (n: i64) (x: i32) =
  let xs = map (\i -> i32.i64 i * x) (iota n)
  let s = i32.sum xs
  in (xs, copy (reverse xs) with [0] = s with [1] = s + 1 with [x] = 7)

entry rows (n: i64) (x: i32) =
  let m = tabulate_2d n 3 (\i j -> i32.i64 (i + j) * x)
  let m = m with [0, 1] = x with [n - 1, 2] = 4 with [1] = [7, 8, 9] with [1, 1] = 2
  in loop m for i < 3i64 do m with [i, 0] = i32.i64 i with [0, i] = m[1, i]

-- In a loop.
entry steps (n: i64) (x: i32) =
  loop xs = replicate n x
  for i < 66i64 do
    let k = i32.i64 i * 3
    in xs with [2] = k
          with [1] = k + 1
          with [0] = k + 2
          with [0] = k + 3
          with [0] = k + 4
          with [2] = k + 2
          with [1] = k + 3

-- Results of one map that go to rows of one array, not in the order of the results.
-- ==
-- entry: rows_turned
-- input { 3i64 1i64 }
-- output { [[[0.0f32, 0.0f32, 0.0f32], [0.0f32, 0.0f32, 0.0f32], [0.0f32, 0.0f32, 0.0f32]], [[1.0f32, 0.0f32, -1.0f32], [0.0f32, 1.0f32, 2.0f32], [0.0f32, 2.0f32, 4.0f32]]] }
entry rows_turned (n: i64) (t: i64) : [][3][n]f32 =
  let xs = replicate 2 (replicate 3 (replicate n 0f32))
  let (a, b, c) = unzip3 (map (\i -> (f32.i64 i, 1 - f32.i64 i, f32.i64 (2 * i))) (iota n))
  let xs = xs with [t, 2] = c
  let xs = xs with [t, 0] = b
  in xs with [t, 1] = a

-- ==
-- entry: rows_exchanged
-- input { 3i64 } output { [[0.0f32, 1.0f32, 2.0f32], [-1.0f32, 1.0f32, 3.0f32]] }
entry rows_exchanged (n: i64) : [2][n]f32 =
  let (a, b) = unzip (map (\i -> (f32.i64 i, f32.i64 (i * 2) - 1)) (iota n))
  let xs = replicate 2 (replicate n 0f32)
  let xs = xs with [1] = b
  in xs with [0] = a
