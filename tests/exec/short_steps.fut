-- Loops of short steps: one workgroup for all steps, or a launch for each statement, by sizes.

def row (n: i64) : [n]i32 = tabulate n (\i -> i32.i64 ((i * i + 7 * i) % 31))

-- ==
-- entry: diagonals sums places inPlace nested pairs branches scalars
-- input { 0i64 3i64 }
-- input { 1i64 0i64 }
-- input { 1i64 5i64 }
-- input { 3i64 1i64 }
-- input { 31i64 4i64 }
-- input { 33i64 2i64 }
-- input { 300i64 7i64 }
-- input { 1025i64 3i64 }
-- input { 5000i64 3i64 }
-- input { 90000i64 2i64 }

-- Rows change their roles.
entry diagonals (n: i64) (k: i64) : ([n]i32, [n]i32) =
  let a = row n
  in loop (before, current) = (replicate n 0, a)
     for d < k do
       let next =
         tabulate n (\i ->
                       let j = (i * 5 + d) % n
                       in before[j] + i32.min current[i] (if i == 0 then a[j] else current[i - 1]))
       in (current, map (% 1000) next)

-- A sum decides each step.
entry sums (n: i64) (k: i64) : ([n]i32, i32) =
  loop (xs, s) = (row n, 1)
  for i < k do
    let xs = map2 (\x y -> (x * 3 + y + s) % 1009) xs (rotate (i + 1) xs)
    in (xs, (s + i32.sum xs) % 97)

-- Elements change their places.
entry places (n: i64) (k: i64) : [n]i32 =
  loop xs = row n
  for i < k do
    let ys = scan (+) 0 xs
    in scatter (map (% 1000) ys) (map (\j -> (j * 7 + i) % n) (iota n)) (reverse xs)

-- Rows that steps overwrite; the initial one is used again.
entry inPlace (n: i64) (k: i64) : ([n]i32, i32) =
  let start = row n
  let end =
    loop xs = copy start
    for i < k do
      let ys = map (+ i32.i64 i) (reverse xs)
      in if n > 0 then ys with [i % n] = ys[(i + 1) % n] * 2 else ys
  in (end, i32.sum start)

-- Steps of steps.
entry nested (n: i64) (k: i64) : [n]i32 =
  loop xs = row n
  for i < k do
    loop ys = map (+ 1) xs
    for j < k do
      map2 (\y z -> (y + z * i32.i64 (i + j)) % 1013) ys (rotate 1 ys)

-- Rows of other lengths and types.
entry pairs (n: i64) (k: i64) : ([n]bool, [n + 2]f64) =
  loop (flags, xs) = (map (> 9) (row n), map f64.i32 (row (n + 2)))
  for i < k do
    let ys = map (\x -> if x > 40 then x / 2 else x * 1.5) (rotate 1 xs)
    in (map2 (\f y -> f != (y > f64.i64 i)) flags (take n ys), ys)

-- Statements of some steps.
entry branches (n: i64) (k: i64) : [n]i32 =
  loop xs = row n
  for i < k do
    if i % 3 == 1 then map2 (-) xs (rotate 2 xs) else map (\x -> x * 2 % 911) (reverse xs)

-- Only scalars leave the loop.
entry scalars (n: i64) (k: i64) : (i32, i64) =
  let (_, least, steps) =
    loop (xs, least, steps) = (row n, 1000, 0)
    for _i < k do
      let xs = map2 (\x y -> (x * 7 + y) % 509) xs (rotate 3 xs)
      in (xs, i32.min least (i32.minimum xs), steps + n)
  in (least, steps)

-- A failure in a step is that of the loop.
-- ==
-- entry: failing
-- input { 40i64 3i64 }
-- ==
-- entry: failing
-- input { 40i64 50i64 }
-- error: index `\[40\]` is out of range.*H7001

entry failing (n: i64) (k: i64) : i32 =
  let xs =
    loop xs = map (% 7) (row n)
    for i < k do
      map2 (\x j -> (x + 2 * xs[i] + i32.i64 j) % 100) xs (iota n)
  in i32.sum xs

-- Digits of the steps, by a while loop and by updates.
-- ==
-- entry: digits until chunks
-- input { 0i64 3i64 }
-- input { 1i64 1i64 }
-- input { 10i64 40i64 }
-- input { 33i64 120i64 }
-- input { 1025i64 5i64 }
-- input { 9i64 2500i64 }

entry digits (n: i64) (k: i64) : ([n]i64, i64) =
  loop (xs, found) = (map i64.i32 (row n), 0)
  for i < k do
    let (counts, _) =
      loop (counts, rest) = (replicate 10 0, i * i)
      while rest > 0 do
        (counts with [rest % 10] = counts[rest % 10] + 1, rest / 10)
    let most = i64.maximum counts
    in if most > 1 && n > 0
       then (xs with [i % n] = most, found + 1)
       else (map (+ counts[i % 10]) xs, found)

-- Until nothing changes; the number of steps is a result.
entry until (n: i64) (k: i64) : ([n]i32, i64) =
  let (labels, _, steps) =
    loop (labels, changes, steps) = (row n, true, 0)
    while changes && steps < k do
      let next = map (\i -> i32.min labels[i] labels[(i * 3 + 1) % n]) (iota n)
      in (next, or (map2 (!=) labels next), steps + 1)
  in (labels, steps)

-- Rows that a while loop overwrites, inside of a while loop.
entry chunks (n: i64) (k: i64) : ([n]i32, i64) =
  let start = row n
  let (xs, s, _) =
    loop (xs, s, i) = (copy start, 0, 0)
    while i < k do
      let (xs, _) =
        loop (xs, j) = (map (+ 1) xs, i)
        while j < n do
          (xs with [j] = xs[j] * 2 % 1009, j * 2 + 1)
      in (xs, s + i64.i32 (i32.sum xs) % 7, i + 1)
  in (xs, s + i64.i32 (i32.sum start))

-- The greatest element with its place decides a branch of each step, and when the loop ends.
-- ==
-- entry: greatest
-- input { 1i64 5i64 }
-- input { 33i64 40i64 }
-- input { 300i64 25i64 }

entry greatest (n: i64) (k: i64) : ([n]i32, i64, i32) =
  let max (x, i) (y, j) = if x > y || x == y && i < j then (x, i) else (y, j)
  let (xs, _, steps, s) =
    loop (xs, goes_on, steps, s) = (row n, true, 0, 0)
    while goes_on && steps < k do
      let (x, i) = reduce max (i32.lowest, -1) (zip xs (iota n))
      let (y, j) = reduce max (i32.lowest, -1) (zip (map i32.neg xs) (iota n))
      in if x + y < 2
         then (xs, false, steps + 1, s)
         else (map2 (\z l -> if l == i then z - x / 2 else if l == j then z + x / 2 else z) xs (iota n), true, steps + 1, s + x)
  in (xs, steps, s)
