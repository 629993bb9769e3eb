-- Small programs as people write them: searches, sieves, sorts, scans of pairs, tables.
-- tolerance: exact
-- ==
-- entry: argmax
-- input { [3i32, 9i32, 2i32, 9i32] }
-- output { 9i32 1i64 }
-- input { empty([0]i32) }
-- output { -2147483648i32 0i64 }
-- ==
-- entry: collatz
-- input { 10i64 }
-- output { [0i32, 1i32, 7i32, 2i32, 5i32, 8i32, 16i32, 3i32, 19i32, 6i32] }
-- ==
-- entry: fibonacci
-- input { 20i64 }
-- output { [[10946i64, 6765i64], [6765i64, 4181i64]] }
-- ==
-- entry: bubble
-- input { [5i32, 2i32, 9i32, -1i32, 0i32] }
-- output { [-1i32, 0i32, 2i32, 5i32, 9i32] }
-- ==
-- entry: count
-- input { 4i64 [0i64, 1i64, 1i64, 3i64, 2i64, 1i64] }
-- output { [1i64, 3i64, 1i64, 1i64] }
-- input { 4i64 [0i64, 1i64, 4i64] }
-- error: index `\[4]` is out of range for an array of shape `\[4]`.*H7001
-- ==
-- entry: sums
-- input { [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] }
-- output { [[1i32, 3i32], [4i32, 10i32], [9i32, 21i32]] }
-- ==
-- entry: segments
-- input { [true, false, false, true, false] [1i32, 2i32, 3i32, 4i32, 5i32] }
-- output { [1i32, 3i32, 6i32, 4i32, 9i32] }
-- ==
-- entry: pascal
-- input { 5i64 }
-- output { [[1i32, 0i32, 0i32, 0i32, 0i32], [1i32, 1i32, 0i32, 0i32, 0i32],
--   [1i32, 2i32, 1i32, 0i32, 0i32], [1i32, 3i32, 3i32, 1i32, 0i32],
--   [1i32, 4i32, 6i32, 4i32, 1i32]] }
-- ==
-- entry: divisors
-- input { [12u32, 18u32] [8u32, 27u32] }
-- output { [4u32, 9u32] 6u32 }
-- ==
-- entry: runs
-- input { [1u8, 1u8, 2u8, 2u8, 2u8, 3u8] }
-- output { [1u8, 2u8, 3u8] [2i64, 3i64, 1i64] }
-- input { empty([0]u8) }
-- output { empty([0]u8) empty([0]i64) }
-- ==
-- entry: knights
-- input { 4i64 }
-- output { [[2i32, 3i32, 3i32, 2i32], [3i32, 4i32, 4i32, 3i32], [3i32, 4i32, 4i32, 3i32],
--   [2i32, 3i32, 3i32, 2i32]] }
-- ==
-- entry: window_sums
-- input { [1i64, 5i64, -2i64, 7i64, 3i64] 2i64 }
-- output { 10i64 [6i64, 3i64, 5i64, 10i64] }

-- | The largest element and the first place where it is.
entry argmax [n] (xs: [n]i32) : (i32, i64) =
  reduce (\(a, i) (b, j) -> if a > b || (a == b && i <= j) then (a, i) else (b, j))
         (i32.lowest, n)
         (zip xs (iota n))

-- | Steps of the Collatz sequence from 1, 2 .. to 1.
entry collatz (n: i64) : [n]i32 =
  let steps (x: i64) =
    (loop (n, c) = (x, 0i32)
     while n != 1 do
       (if n % 2 == 0 then n / 2 else 3 * n + 1, c + 1)).1
  in map (\i -> steps (i + 1)) (iota n)

def mul [n] [m] [p] (a: [n][m]i64) (b: [m][p]i64) : [n][p]i64 =
  map (\r -> map (\c -> i64.sum (map2 (*) r c)) (transpose b)) a

-- | A power of the matrix of Fibonacci's numbers by squaring.
entry fibonacci (k: i64) : [2][2]i64 =
  (loop (r, a, k) = ([[1, 0], [0, 1]], [[1, 1], [1, 0]], k)
   while k > 0 do
     (if k % 2 == 1 then mul r a else r, mul a a, k / 2)).0

entry bubble [n] (xs: *[n]i32) : [n]i32 =
  loop xs for i < n do
    loop xs for j < n - 1 - i do
      if xs[j] > xs[j + 1]
      then let t = xs[j]
           let xs[j] = xs[j + 1]
           let xs[j + 1] = t
           in xs
      else xs

entry count [n] (k: i64) (xs: [n]i64) : [k]i64 =
  loop h = replicate k 0i64 for x in xs do h with [x] = h[x] + 1

-- | Sums of all rectangles from the first corner.
entry sums [n] [m] (xs: [n][m]i32) : [n][m]i32 =
  xs |> map (scan (+) 0) |> transpose |> map (scan (+) 0) |> transpose

entry segments [n] (flags: [n]bool) (xs: [n]i32) : [n]i32 =
  (unzip (scan (\(f, a) (g, b) -> (f || g, if g then b else a + b)) (false, 0) (zip flags xs))).1

entry pascal (n: i64) : [n][n]i32 =
  let rows = replicate n (replicate n 0i32)
  in loop rows for i < n do
       let rows[i, 0] = 1
       in if i == 0
          then rows
          else loop rows for j in 1...i do
                 rows with [i, j] = rows[i - 1, j - 1] + rows[i - 1, j]

def gcd (a: u32) (b: u32) : u32 = (loop (a, b) while b != 0 do (b, a % b)).0

entry divisors [n] (xs: [n]u32) (ys: [n]u32) : ([n]u32, u32) = (map2 gcd xs ys, reduce gcd 0 xs)

-- | Runs of equal elements: the element and how often.
entry runs [n] (xs: [n]u8) : ([]u8, []i64) =
  let starts = filter (\i -> i == 0 || xs[i] != xs[i - 1]) (iota n)
  let ends = map (\k -> if k + 1 < length starts then starts[k + 1] else n) (indices starts)
  in (map (\i -> xs[i]) starts, map2 (-) ends starts)

-- | Where a knight can go, counted for each square.
entry knights (n: i64) : [n][n]i32 =
  let jumps = [(1i64, 2i64), (2, 1), (-1, 2), (2, -1), (1, -2), (-2, 1), (-1, -2), (-2, -1)]
  in tabulate_2d n n (\y x ->
                        i32.sum (map (\(dy, dx) ->
                                        let (v, u) = (y + dy, x + dx)
                                        in i32.bool (v >= 0 && v < n && u >= 0 && u < n))
                                     jumps))

entry window_sums (xs: []i64) (w: i64) : (i64, []i64) =
  let best = loop best = i64.lowest for i < length xs - w + 1 do i64.max best (i64.sum xs[i:i + w])
  in (best, map (\i -> i64.sum xs[i:i + w]) (iota (length xs - w + 1)))
