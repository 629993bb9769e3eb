-- Scans of tuples of many words over several tiles, and scans whose maps branch, check and gather.

def hash (i: i64) : i32 = i32.u32 ((u32.i64 i * 2654435761) >> 12)

-- The longest sorted segment: six words that depend on each other.
def longest (lssx, lisx, lcsx, tlx, firstx, lastx) (lssy, lisy, lcsy, tly, firsty, lasty) : (i32, i32, i32, i32, i32, i32) =
  let connect = lastx <= firsty || tlx == 0 || tly == 0
  let newlss = if connect then i32.max (lcsx + lisy) (i32.max lssx lssy) else i32.max lssx lssy
  let newlis = if lisx == tlx && connect then lisx + lisy else lisx
  let newlcs = if lcsy == tly && connect then lcsy + lcsx else lcsy
  in ( newlss
     , newlis
     , newlcs
     , tlx + tly
     , if tlx == 0 then firsty else firstx
     , if tly == 0 then lastx else lasty
     )

def runs [n] (xs: [n]i32) =
  scan longest (0, 0, 0, 0, 0, 0) (map (\x -> (1, 1, 1, 1, x, x)) xs)

-- One of them alone is wanted; then all.
-- ==
-- entry: sorted
-- input { 0i64 } output { empty([0]i32) true }
-- input { 9i64 } output { [1i32, 2i32, 3i32, 4i32, 4i32, 4i32, 4i32, 4i32, 4i32] true }
entry sorted (n: i64) : ([n]i32, bool) =
  let xs = map (\i -> hash i % 1000) (iota n)
  let tops = map (.0) (runs xs)
  in (tops, n == 0 || last tops == 4)

-- ==
-- entry: sorted_long
-- input { 1i64 }
-- input { 4096i64 }
-- input { 30001i64 }
-- output { true }
entry sorted_long (n: i64) : bool =
  let xs = map (\i -> hash (i / 3) % 1000) (iota n)
  let all_of = runs xs
  let some = map (.0) (runs xs)
  let step (i: i64) = -- the last of the tuple, and how many, are known
    let (_, _, _, count, first, last) = all_of[i]
    in count == i32.i64 (i + 1) && first == xs[0] && last == xs[i]
  let run (i: i64) = -- elements up to i that rise, looked for from the end
    (loop (k, goes_on) = (1i64, true)
     while goes_on do
       if k <= i && xs[i - k] <= xs[i - k + 1] then (k + 1, true) else (k, false)).0
  let mine = map run (iota n)
  in and (map step (iota n)) && and (map2 (\r k -> i64.i32 r.2 == k) all_of mine)
     && map i64.i32 some == scan i64.max 0 mine

-- Twelve words: products of matrices of whole numbers, in order.
-- ==
-- entry: products
-- input { 5000i64 } output { true }
entry products (n: i64) : bool =
  let mul (a, b, c, d, e, f) (g, h, i, j, k, l): (i64, i64, i64, i64, i64, i64) =
    (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * i + g * k + l, f + l * e + k)
  let one i = let x = i64.i32 (hash i % 7) in (x, 1, 2, x + 1, x - 3, 5)
  -- Only the first four associate: those that count.
  let upper (a, b, c, d, _, _) (g, h, i, j, k, l) =
    let (p, q, r, s, _, _) = mul (a, b, c, d, 0, 0) (g, h, i, j, 0, 0) in (p, q, r, s, k, l)
  let all_of = scan upper (1, 0, 0, 1, 0, 0) (map one (iota n))
  let ends =
    loop all = replicate n (0, 0, 0, 0)
    for i < n do
      let (a, b, c, d) = if i == 0 then (1, 0, 0, 1) else all[i - 1]
      let (g, h, k, l, _, _) = one i
      in all with [i] = (a * g + b * k, a * h + b * l, c * g + d * k, c * h + d * l)
  in and (map2 (\(a, b, c, d, e, f) (p, q, r, s) -> a == p && b == q && c == r && d == s && f == 5 && e >= -9)
               all_of
               ends)

-- A flag and a sum that starts again, from a map with a branch, a check and a gather.
-- ==
-- entry: restarted
-- input { 20000i64 20000i64 } output { true }
-- input { 20000i64 19999i64 } error: H7001
entry restarted (n: i64) (m: i64) : bool =
  let weights = map (\i -> hash i % 10) (iota m)
  let element i =
    match hash i % 4
    case 0 -> (true, weights[n - 1 - i])
    case 1 -> (false, assert (n > 5) 3)
    case x -> (false, x)
  let op (f1, a) (f2, b) = (f1 || f2, if f2 then b else a + b) : (bool, i32)
  let sums = scan op (false, 0) (map element (iota n))
  let plain i =
    match hash i % 4
    case 0 -> (true, hash (n - 1 - i) % 10)
    case 1 -> (false, 3)
    case x -> (false, x)
  let ends =
    loop all = replicate n (false, 0)
    for i < n do
      all with [i] = op (if i == 0 then (false, 0) else all[i - 1]) (plain i)
  in sums == ends

-- The same in segments.
-- ==
-- entry: segments
-- input { 7i64 1000i64 } output { true }
-- input { 100i64 33i64 } output { true }
entry segments (n: i64) (m: i64) : bool =
  let xs = tabulate_2d n m (\i j -> hash (i * m + j / 2) % 100)
  let all_of = map (\row -> map (.0) (runs row)) xs
  in and (map2 (\row tops -> map (.0) (runs row) == tops) xs all_of) && all (\row -> row[0] == 1) all_of

-- More components than the steps of a tree are written out for: a row of nine sums, and nine
-- components of which one is not a sum.
-- ==
-- entry: many
-- input { 1i64 }
-- input { 300i64 }
-- input { 2049i64 }
-- input { 30001i64 }
-- output { true }
entry many (n: i64) : bool =
  let xs = map (\i -> i64.i32 (hash i) % 50) (iota n)
  let sums = scan (\a b -> map2 (+) a b) (replicate 9 0) (map (\x -> tabulate 9 (* x)) xs)
  let tuple x = (x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7, if x % 3 == 0 then x else -1)
  let apart =
    scan (\(a0, a1, a2, a3, a4, a5, a6, a7, a8) (b0, b1, b2, b3, b4, b5, b6, b7, b8) ->
            (a0 + b0, a1 + b1, a2 + b2, a3 + b3, a4 + b4, a5 + b5, a6 + b6, a7 + b7, if b8 < 0 then a8 else b8))
         (0, 0, 0, 0, 0, 0, 0, 0, -1)
         (map tuple xs)
  let once = scan (+) 0 xs
  let kept =
    loop (out, at) = (replicate n 0, -1)
    for i < n do
      let at = if xs[i] % 3 == 0 then xs[i] else at
      in (out with [i] = at, at)
  in and (map2 (\row s -> row[8] == 8 * s) sums once) && map (.8) apart == kept.0
     && and (map3 (\s i row -> row.7 == s + 7 * (i + 1) && row.0 == s) once (iota n) apart)

-- Products of dual numbers: no neutral element is combined with the infinite one.
-- ==
-- entry: duals
-- input { [1e30f32, 1e30f32] } output { [1e30f32, f32.inf] [0f32, 0f32] }
-- input { [1e38f32, 10f32, 10f32] } output { [1e38f32, f32.inf, f32.inf] [0f32, 0f32, f32.nan] }
entry duals [n] (xs: [n]f32) : ([n]f32, [n]f32) =
  unzip (scan (\(p, t) (x, u) -> (p * x, t * x + u * p)) (1, 0) (map (\x -> (x, 0)) xs))
