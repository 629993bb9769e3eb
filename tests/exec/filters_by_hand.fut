-- Filters and partitions as users write them: the count is the last element of the scan, with or
-- without a test whether there is one; exclusive places; scans of pairs; places behind the count.

def xs (n: i64) : [n]i32 = map (\i -> i32.u32 ((u32.i64 i * 2654435761) >> 12)) (iota n)

def rises [m] (p: i32 -> bool) (ys: [m]i32) (all: []i32) : bool =
  let kept = filter p all
  in m == length kept && and (map2 (==) ys (kept :> [m]i32))

def guarded_of [n] (xs: [n]i32) : []i32 =
  let flags = map (\x -> if x % 3 == 0 then 1i64 else 0i64) xs
  let offsets = scan (+) 0 flags
  let m = if n == 0 then 0 else offsets[n - 1]
  in (scatter (copy xs) (map2 (\f o -> if f == 1 then o - 1 else -1) flags offsets) xs)[:m]

def converted_of [n] (xs: [n]i32) : []i32 =
  let keep = map (\x -> x % 3 == 0) xs
  let offsets = scan (+) 0 (map i32.bool keep)
  let m = if n == 0 then 0 else i64.i32 (last offsets)
  in take m (scatter (replicate n 0) (map2 (\k o -> if k then i64.i32 o - 1 else -1) keep offsets) xs)

def reduced_of [n] (xs: [n]i32) : []i32 =
  let keep = map (\x -> x % 3 == 0) xs
  let offsets1 = scan (+) 0 (map i64.bool keep)
  let m = reduce (+) 0 (map i64.bool keep)
  let ends = map2 (\k o -> if k then o - 1 else -1) keep offsets1
  in take m (scatter (replicate n 0) ends xs)

def pairs_of [n] (xs: [n]i32) : ([]i32, []i32) =
  let (is, js) = unzip (scan (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (map (\x -> if x % 3 == 0 then (1i64, 0i64) else (0, 1)) xs))
  let m = if n == 0 then 0 else is[n - 1]
  in ( take m (scatter (replicate n 0) (map2 (\x o -> if x % 3 == 0 then o - 1 else -1) xs is) xs)
     , take (n - m) (scatter (replicate n 0) (map2 (\x o -> if x % 3 == 0 then -1 else o - 1) xs js) xs)
     )

def behind_of [n] (xs: [n]i32) : ([]i32, []i32) =
  let flags = map (\x -> if x % 3 == 0 then 1i64 else 0) xs
  let is = scan (+) 0 flags
  let m = if n == 0 then 0 else is[n - 1]
  let js = map2 (\f i -> if f == 1 then 0i64 else 1) flags (iota n) |> scan (+) 0
  let ends = map3 (\f i j -> if f == 1 then i - 1 else m + j - 1) flags is js
  let r = scatter (replicate n 0) ends xs
  in (r[:m], r[m:])

def exclusive_of [n] (xs: [n]i32) : []i32 =
  let flags = map (\x -> i64.bool (x % 3 == 0)) xs
  let ends = scan (+) 0 flags
  let begins = map2 (-) ends flags
  let m = if n == 0 then 0 else last ends
  in take m (scatter (replicate n 0) (map2 (\f b -> if bool.i64 f then b else -1) flags begins) xs)

-- ==
-- entry: guarded
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 30001i64 } output { true }
entry guarded (n: i64) : bool = rises (\x -> x % 3 == 0) (guarded_of (xs n)) (xs n)

-- ==
-- entry: converted
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 30001i64 } output { true }
entry converted (n: i64) : bool = rises (\x -> x % 3 == 0) (converted_of (xs n)) (xs n)

-- ==
-- entry: reduced
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 30001i64 } output { true }
entry reduced (n: i64) : bool = rises (\x -> x % 3 == 0) (reduced_of (xs n)) (xs n)

-- ==
-- entry: pairs
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 30001i64 } output { true }
entry pairs (n: i64) : bool =
  let (ys, zs) = pairs_of (xs n)
  in rises (\x -> x % 3 == 0) ys (xs n) && rises (\x -> x % 3 != 0) zs (xs n)

-- ==
-- entry: behind
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 30001i64 } output { true }
entry behind (n: i64) : bool =
  let (ys, zs) = behind_of (xs n)
  in rises (\x -> x % 3 == 0) ys (xs n) && rises (\x -> x % 3 != 0) zs (xs n)

-- ==
-- entry: exclusive
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 30001i64 } output { true }
entry exclusive (n: i64) : bool = rises (\x -> x % 3 == 0) (exclusive_of (xs n)) (xs n)

-- The last element of nothing is an error, as it was.
-- ==
-- entry: unguarded
-- input { 30001i64 } output { true }
-- input { 0i64 } error: out of range
entry unguarded (n: i64) : bool =
  let keep = map (\x -> x % 3 == 0) (xs n)
  let ends = scan (+) 0 (map i64.bool keep)
  let m = ends[n - 1]
  let ys = take m (scatter (replicate n 0) (map2 (\k e -> if k then e - 1 else -1) keep ends) (xs n))
  in rises (\x -> x % 3 == 0) ys (xs n)

-- The arm asserts something besides.
-- ==
-- entry: asserted
-- input { 0i64 } output { true }
-- input { 30001i64 } output { true }
entry asserted (n: i64) : bool =
  let flags = map (\x -> if x % 3 == 0 then 1i64 else 0) (xs n)
  let ends = scan (+) 0 flags
  let m = if n == 0 then 0 else assert (n < 1000000) (last ends)
  let ys = take m (scatter (replicate n 0) (map2 (\f e -> if f == 1 then e - 1 else -1) flags ends) (xs n))
  in rises (\x -> x % 3 == 0) ys (xs n)

-- Counts of a narrow type wrap; with 128 added they are places again.
-- ==
-- entry: narrow
-- input { 20000i64 }
entry narrow (n: i64) : []i32 =
  let xs = map i32.i64 (iota n)
  let flags = map (\x -> i8.bool (x % 100 == 7)) xs
  let is = scan (+) 0i8 flags
  in scatter (replicate 300 (-1)) (map2 (\f i -> if f == 1 then i64.i8 i + 128 else -1) flags is) xs
