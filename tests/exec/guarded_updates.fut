-- Branches by scalars that kernels make, whose arm scatters or counts into an array in place.
-- ==
-- entry: sieve
-- input { 30i64 } output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64, 23i64, 29i64] }
-- input { 1i64 } output { empty([0]i64) }
-- ==
-- entry: unless
-- input { [0i64, 3i64, 1i64, 2i64] } output { [9i64, 3i64, 9i64, 9i64] }
-- ==
-- entry: counted
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] 5i64 } output { [2i64, 2i64, 2i64, 2i64, 2i64, 2i64] }
-- ==
-- entry: pairs
-- input { [2i32, 1i32, 0i32] } output { [5i32, 4i32, 3i32] [0i32, 1i32, 2i32] }
-- input { [0i32, 1i32, 2i32] } output { [0i32, 1i32, 2i32] [0i32, 1i32, 2i32] }
-- ==
-- entry: read_by_both
-- input { [2i64, 1i64, 0i64] } output { [2i64, 2i64, 1i64] 3i64 }
-- ==
-- entry: fails
-- input { [3i64, 1i64, 2i64] 7i64 } output { [3i64, 1i64, 2i64] }
-- input { [2i64, 1i64, 2i64] 7i64 } error: H7001

entry sieve (n: i64) : []i64 =
  let flags = replicate (n + 1) true with [0] = false with [1] = false
  let (flags, _) =
    loop (flags, p) = (flags, 2)
    while p * p <= n do
      let flags =
        if flags[p]
        then scatter flags (map (\i -> (i + p) * p) (iota (n / p - p + 1))) (replicate (n / p - p + 1) false)
        else flags
      in (flags, p + 1)
  in filter (\i -> flags[i]) (iota (n + 1))

-- The second arm stores.
entry unless [n] (xs: *[n]i64) : [n]i64 =
  loop xs for i < 4i64 do
    if xs[i % n] > i
    then xs
    else scatter xs [i, n] [9, 9]

entry counted [n] (xs: [n]i64) (k: i64) : [n]i64 =
  let bins = replicate n 0i64
  in loop bins for i < k do
       if xs[i] % 2 == 1 || bins[1] > 1
       then reduce_by_index bins (+) 0 (map (\x -> (x * (i + 1)) % n) xs) (map (const 1) xs |> map2 (\x b -> i64.bool (x % 3 != 0) * b) xs)
       else bins

-- Two arrays of one arm.
entry pairs [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  let as = copy xs
  let bs = map i32.i64 (iota n)
  in loop (as, bs) = (as, bs)
     for i < n do
       if i32.sum (map2 (\a j -> a * j) xs (map i32.i64 (iota n))) < 2
       then (scatter as [i] [i32.i64 (5 - i)], scatter bs [i] [i32.i64 i])
       else (as, bs)

-- The array that is stored into is also read.
entry read_by_both [n] (xs: *[n]i64) : ([n]i64, i64) =
  loop (xs, s) = (xs, 0i64)
  for i < 3i64 do
    if xs[i] > 1
    then (scatter xs [0, 2] [xs[1], xs[0] - 1], s + 1)
    else (map (+ i) xs, s + xs[i])

-- A read out of range where the arm is taken.
entry fails [n] (xs: *[n]i64) (k: i64) : [n]i64 =
  if i64.sum xs < 6
  then scatter xs (map (\x -> xs[x + k] % n) (copy xs)) (replicate n 1)
  else xs
