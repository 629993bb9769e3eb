-- Loops that end by elements of their arrays: at fixed places, at places that move, in loops around
-- loops, beside updates of the element, with places out of range.
-- ==
-- entry: contract
-- input { 4i64 } output { 16f32 4i32 }
-- input { 15i64 } output { 32768f32 15i32 }
-- ==
-- entry: walk
-- input { [3i32, 2i32, 5i32, 0i32, 1i32] } output { [4i32, 3i32, 6i32, 1i32, 2i32] 1i64 }
-- input { [-4i32, -2i32, -5i32] } output { [3i32, 5i32, 2i32] 7i64 }
-- ==
-- entry: moves
-- input { 40000i64 25i64 } output { 25i64 1040000i64 }
-- input { 10i64 3i64 } output { 3i64 40i64 }
-- input { 10i64 10i64 } error: H7001
-- ==
-- entry: nested
-- input { 40000i64 } output { 6i32 63i32 40321i64 }
-- ==
-- entry: replaced
-- input { 40000i64 } output { 11i32 2048i64 440000i64 }

-- A tree of sums: inner nodes are known once both children are.
entry contract (depth: i64) : (f32, i32) =
  let n = 2 * (1 << depth) - 1
  let known = tabulate n (\i -> 2 * i + 1 >= n)
  let (vals, _, k) =
    loop (vals, known, k) = (replicate n 1f32, known, 0i32)
    while !known[0] do
      let ready = tabulate n (\i -> !known[i] && known[2 * i + 1] && known[2 * i + 2])
      let sum i = vals[2 * i + 1] + vals[2 * i + 2]
      let vals = tabulate n (\i -> if ready[i] then sum i else vals[i])
      in (vals, map2 (||) known ready, k + 1)
  in (vals[0], k)

entry walk [n] (xs: [n]i32) : ([n]i32, i64) =
  loop (ys, k) = (map (+ 1) xs, 0i64) while k == 0 || ys[0] < 3 do (if k == 0 then ys else map (+ 1) ys, k + 1)

-- The place is another one in each step.
entry moves (n: i64) (last: i64) : (i64, i64) =
  let (xs, k) =
    loop (xs, k) = (iota n, 0i64) while xs[k] < last + k do (map (+ 1) xs, k + 1)
  in (k, i64.sum (map2 (-) xs (iota n)) + n)

entry nested (n: i64) : (i32, i32, i64) =
  let (xs, k, all) =
    loop (xs, k, all) = (iota n, 0i32, 0i32)
    while xs[1] < 64 do
      let (xs, _, j) =
        loop (xs, ys, j) = (xs, map (const 0) xs, 0i32) while ys[2] < xs[1] do (map id xs, map (+ 1) ys, j + 1)
      in (map (\x -> if x < 1000 then 2 * x else x + 1) xs, k + 1, all + i32.i64 (i64.i32 j))
  in (k, all, xs[n - 1] + 316)

-- The condition's element is replaced once it has been read.
entry replaced (n: i64) : (i32, i64, i64) =
  let (xs, k, top) =
    loop (xs, k, top) = (replicate n 0i64, 0i32, 1i64)
    while xs[0] < 11 do
      let seen = xs[0]
      let xs = copy (map (+ 1) xs) with [0] = seen + 1
      in (xs, k + 1, top * 2)
  in (k, top, i64.sum xs)
