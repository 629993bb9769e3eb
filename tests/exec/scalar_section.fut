-- Elements that change one after another, with reads, branches and small loops in between.
-- ==
-- entry: branches
-- input { [1, 2, 3, 4] [9, 8, 7, 6] } output { [7, 21, 20, 5] 18 }
-- input { [0, 0, 0, 0] [0, 0, 0, 0] } output { [0, 0, 0, 0] 0 }
-- ==
-- entry: two
-- input { [1, 2, 3] [4, 5, 6] } output { [6, 4, 10] [4, 10, 6] 5 }
-- ==
-- entry: fails
-- input { [1, 2, 3] 1 } output { [1, 4, 3] }
-- input { [1, 5, 3] 1 } error: index `\[4\]` is out of range
-- input { [1, 0, 3] 1 } error: division by zero
-- ==
-- entry: loops
-- input { [1, 2, 3, 4] } output { [6, 6, 5, 9] }
-- ==
-- entry: rounds
-- input { [5, 1, 4, 2] 6i64 } output { [5, 11, 21, 40] 5 }

-- Conditional changes in place; values that leave beside the array.
entry branches (xs0: [4]i32) (ys: [4]i32) : ([4]i32, i32) =
  let xs = map (\x -> x) xs0
  let xs = xs with [0] = xs[1] + ys[2] - 2 * i32.bool (xs[1] > 0)
  let xs = if xs[0] > 3 then xs with [1] = xs[0] * 3 else xs
  let s = xs[1] ^ xs[2]
  let xs = if xs[1] > 3 then xs with [2] = xs[1] - 1 else xs
  let xs = xs with [3] = if xs[2] > 4 then ys[3] - xs[2] / (1 + xs[2]) - 1 else xs[0] % (3 + xs[3])
  in (xs, if s > 20 then s - xs[3] + 1 else s)

-- Two arrays that read each other; an element of the first is wanted twice behind.
entry two (xs: *[3]i32) (ys: *[3]i32) : ([3]i32, [3]i32, i32) =
  let a = ys[1]
  let xs = xs with [0] = ys[2]
  let ys = ys with [1] = xs[0] + ys[0]
  let xs = xs with [1] = xs[0] - 2
  let ys = ys with [2] = ys[1] - xs[1]
  let xs = xs with [2] = ys[1]
  in (xs, ys, a)

-- The first failure counts.
entry fails (xs: *[3]i32) (k: i32) : [3]i32 =
  let xs = xs with [0] = k
  let d = 8 / xs[1]
  let xs = xs with [i64.i32 (i32.abs (xs[1] - k))] = d
  let xs = xs with [0] = xs[i64.i32 xs[1] % 3]
  let xs = xs with [0] = k
  in if xs[1] > 4 then xs with [i64.i32 xs[1]] = 0 else xs

entry loops (xs: *[4]i32) : [4]i32 =
  let xs = xs with [0] = xs[1] * 3
  let xs = loop xs for i < 3 do xs with [i + 1] = xs[i + 1] + xs[i] - 2 * i32.i64 i
  let xs = xs with [1] = xs[0]
  in xs with [2] = xs[1] + xs[3] - 10

-- The same in each step of a loop around them.
entry rounds (xs: *[4]i32) (n: i64) : ([4]i32, i32) =
  loop (xs, s) = (xs, 0)
  for i < n do
    let k = i % 3
    let xs = xs with [k + 1] = xs[k + 1] + xs[k]
    let t = xs[k + 1] % 4
    let xs = if t > 1 then xs with [3] = xs[3] + t else xs
    in (xs, s + t % 3)
