-- Scans whose results only say where a scatter writes: filters, partitions, and what is like them,
-- over several tiles.

def hash (i: i64) : i32 = i32.u32 ((u32.i64 i * 2654435761) >> 12)

-- ==
-- entry: filtered
-- input { 0i64 }
-- input { 1i64 }
-- input { 70001i64 }
-- output { true }
entry filtered (n: i64) : bool =
  let xs = map hash (iota n)
  let ys = filter (\x -> x % 3 == 0) xs
  let zs = filter (\(x, _, _) -> x % 5 < 2) (zip3 xs (map f64.i32 xs) (map u8.i32 xs))
  in length ys == i64.sum (map (\x -> i64.bool (x % 3 == 0)) xs)
     && i32.sum ys == i32.sum (map (\x -> if x % 3 == 0 then x else 0) xs)
     && all (\(x, y, z) -> f64.i32 x == y && u8.i32 x == z) zs
     && length zs == i64.sum (map (\x -> i64.bool (x % 5 < 2)) xs)

-- The order of what is kept.
-- ==
-- entry: in_order
-- input { 50001i64 }
-- output { true }
entry in_order (n: i64) : bool =
  let ys = filter (\i -> hash i % 7 < 3) (iota n)
  in and (map (\i -> i == 0 || ys[i - 1] < ys[i]) (iota (length ys)))

-- ==
-- entry: parted
-- input { 50001i64 }
-- output { true true }
entry parted (n: i64) : (bool, bool) =
  let (ys, zs) = partition (\i -> hash i % 7 < 3) (iota n)
  let rises [m] (xs: [m]i64) = and (map (\i -> i == 0 || xs[i - 1] < xs[i]) (iota m))
  in ( rises ys && rises zs && length ys + length zs == n
     , i64.sum ys + i64.sum zs == i64.sum (iota n)
     )

-- A running maximum of pairs of arrays, scattered backwards with holes; the scatter's destination
-- keeps unwritten elements.
-- ==
-- entry: maxima
-- input { 40000i64 }
-- output { true }
entry maxima (n: i64) : bool =
  let xs = map hash (iota n)
  let tops = scan i32.max i32.lowest xs
  let ys = scatter (replicate n (-1)) (map2 (\i t -> if t % 2 == 0 then n - 1 - i else -1) (iota n) tops) xs
  let expected i = if reduce i32.max i32.lowest xs[:n - i] % 2 == 0 then xs[n - 1 - i] else -1
  in and (map (\i -> ys[i] == expected i) (map (* 999) (iota 40)))

-- A step of a radix sort: the number of zeros is known only after the scan, so nothing is joined.
-- ==
-- entry: step
-- input { 20000i64 }
-- output { true }
entry step (n: i64) : bool =
  let xs = map (\i -> u32.i32 (hash i)) (iota n)
  let offs = map (\x -> i64.u32 (1 - (x & 1))) xs
  let zeros = scan (+) 0 offs
  let ones = scan (+) 0 (map (1 -) offs)
  let split = zeros[n - 1]
  let is = map3 (\o z k -> if o == 1 then z - 1 else split + k - 1) offs zeros ones
  let ys = scatter (copy xs) is xs
  in and (map (\i -> (ys[i] & 1) == (if i < split then 0 else 1)) (iota n))

-- Passes of a radix sort whose counters are one tuple: a scan for each digit, and the scatter.
-- ==
-- entry: digits
-- input { 0i64 }
-- input { 1i64 }
-- input { 20000i64 }
-- output { true }
entry digits (n: i64) : bool =
  let pass [m] (xs: [m]i32) (bit: i32): [m]i32 =
    let digit x = (x >> bit) & 3
    let flags =
      map (\x ->
             let d = digit x
             in (i64.bool (d == 0), i64.bool (d == 1), i64.bool (d == 2), i64.bool (d == 3)))
          xs
    let add (a1, b1, c1, d1) (a2, b2, c2, d2) = (a1 + a2, b1 + b2, c1 + c2, d1 + d2) : (i64, i64, i64, i64)
    let (a, b, c, _) = reduce_comm add (0, 0, 0, 0) flags
    let place x (i, j, k, l) =
      let d = digit x
      in if d == 0
         then i - 1
         else if d == 1
         then a + j - 1
         else if d == 2 then a + b + k - 1 else a + b + c + l - 1
    in scatter (copy xs) (map2 place xs (scan add (0, 0, 0, 0) flags)) xs
  let xs = map (\i -> hash i & 4095) (iota n)
  let ys = loop xs for b < 6 do pass xs (2 * b)
  in and (map (\i -> i == 0 || ys[i - 1] <= ys[i]) (iota n)) && i32.sum xs == i32.sum ys

-- What is kept is found by a gather with its check, in a branch.
-- ==
-- entry: gathered
-- input { 30000i64 30000i64 } output { true }
-- input { 30000i64 29999i64 } error: H7001
entry gathered (n: i64) (m: i64) : bool =
  let table = map (\i -> hash i % 5) (iota m)
  let ys = filter (\i -> if hash i % 3 == 0 then table[n - 1 - i] == 0 else hash i % 7 < 2) (iota n)
  let holds i = if hash i % 3 == 0 then hash (n - 1 - i) % 5 == 0 else hash i % 7 < 2
  in length ys == i64.sum (map (\i -> i64.bool (holds i)) (iota n)) && all holds ys
