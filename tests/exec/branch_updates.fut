-- Loops whose branches change an array in place or leave it as it is: steps of sorts, lists of the nearest, stacks, arrays
-- that change places.

-- ==
-- entry: bubbles
-- input { [[3i64, 1i64, 2i64], [9i64, 8i64, 7i64], [1i64, 2i64, 3i64]] }
-- output { [[1i64, 2i64, 3i64], [7i64, 8i64, 9i64], [1i64, 2i64, 3i64]] }
entry bubbles [n] [m] (rows: [n][m]i64) : [n][m]i64 =
  let swap (r: *[m]i64) j =
    if r[j] > r[j + 1]
    then let (t, u) = (r[j], r[j + 1])
         in r with [j] = u with [j + 1] = t
    else r
  in map (\r -> loop r = copy r for i < m do loop r for j < m - 1 - i do swap r j) rows

-- ==
-- entry: nearest
-- input { 2i64 [5f32, 1f32, 4f32, 2f32] }
-- output { [1i64, 3i64] }
-- input { 3i64 [5f32, 1f32, 4f32, 2f32] }
-- output { [1i64, 3i64, 2i64] }
entry nearest [n] (k: i64) (xs: [n]f32) : [k]i64 =
  let insert (best: *[k](f32, i64)) (d: f32) (i: i64): *[k](f32, i64) =
    let (best, _, _) =
      loop (best, d, i) = (best, d, i)
      for j < k do
        let (e, l) = best[j]
        in if d < e then (best with [j] = (d, i), e, l) else (best, d, i)
    in best
  in map (.1) (loop best = replicate k (f32.inf, -1) for i < n do insert best xs[i] i)

-- ==
-- entry: stacks
-- input { [5i64, 1i64, 0i64] }
-- output { [5i64, 1i64, 1i64] }

-- | Leaves of a tree of Fibonacci's kind, by a stack.
entry stacks [n] (roots: [n]i64) : [n]i64 =
  let leaves root =
    let (_, _, count) =
      loop (stack, top, count) = (replicate 16 root, 1i64, 0i64)
      while top > 0 do
        let v = stack[top - 1]
        in if v < 2
           then (stack, top - 1, count + 1)
           else let stack = stack with [top - 1] = v - 1
                in if v == 2
                   then (stack, top, count)
                   else (stack with [top] = v - 2, top + 1, count)
    in count
  in map leaves roots

-- ==
-- entry: turns
-- input { 4i64 5i64 }
-- output { [4i64, 0i64, 0i64, 0i64] [0i64, 1i64, 2i64, 3i64] }
entry turns (n: i64) (steps: i64) : ([n]i64, [n]i64) =
  loop (a, b) = (replicate n 0, iota n)
  for i < steps do
    if i % 3 == 0
    then (b, a)
    else if i % 3 == 1
    then (a with [i % n] = i, b)
    else (a, b with [0] = i)

-- ==
-- entry: later
-- input { [1i32, 2i32] true }
-- output { [7i32, 2i32] 1i32 }
-- input { [1i32, 2i32] false }
-- output { [1i32, 2i32] 1i32 }
entry later (xs: []i32) (changes: bool) : ([]i32, i32) =
  let ys = map (\x -> x) xs
  let zs = if changes then copy ys with [0] = 7 else ys
  in (zs, ys[0])
