-- Operators that fail on two neutral elements, or on one on the right, meet none of them: lanes
-- without an element and the launch that combines chunks invented such failures on the GPU.
def place [n] (w: [n]i64) (i: i64) (j: i64) : i64 =
  if i < 0 || w[j] > w[i] || (w[j] == w[i] && j < i) then j else i

-- The number behind it may fail as well; the operator fails on any pair of neutral elements.
-- ==
-- entry: behind
-- input { 0i64 } output { [0i64, 2i64, 3i64] }
entry behind (n: i64) =
  let w = iota n
  let (_, i) =
    reduce (\(a, i) (b, j) -> if w[i] > w[j] then (a, i) else (b, j)) (0, 10 ** 12) (zip w (iota n))
  in copy [1, 2, 3] with [0] = 7 / (i - 5)

-- ==
-- entry: behind
-- input { 1i64 } error: index
-- ==
-- entry: reduced scanned binned near
-- input { empty([0]i64) }
-- input { [5i64] }
-- input { [5i64, 9i64, 2i64, 9i64, 1i64, 12i64, 12i64] }
entry reduced [n] (w: [n]i64) = reduce (place w) (-1) (iota n)

entry scanned [n] (w: [n]i64) = scan (place w) (-1) (iota n)

-- Destinations are elements, so that -1 meets nothing.
entry binned [n] (w: [n]i64) =
  let at i j = if w[j] > w[i] || (w[j] == w[i] && j < i) then j else i
  in reduce_by_index (map (\_ -> n - 1) (iota 3)) at (-1) (map (% 3) (iota n)) (iota n)

entry near [n] (w: [n]i64) =
  let v = tabulate n (\i -> w[i64.max 0 (i - 1)] - w[i] + w[i64.min (n - 1) (i + 1)])
  in (reduce (place w) (-1) (map2 (\i x -> (i + x) % n) (iota n) v), v)

-- ==
-- entry: reduced_long scanned_long flags binned_long rows few
-- input { 300i64 }
-- input { 20000i64 }
def values (n: i64) : [n]i64 = map (\i -> i * 7919 % 10007) (iota n)

entry reduced_long (n: i64) = let w = values n in reduce (place w) (-1) (iota n)

entry scanned_long (n: i64) = let w = values n in scan (place w) (-1) (iota n)

entry flags (n: i64) =
  let w = values n
  in scan (\(f, i) (g, j) -> (f || g, if g then j else place w i j))
          (false, -1)
          (map (\i -> (w[i] % 97 == 3, i)) (iota n))
     |> unzip

entry binned_long (n: i64) =
  let w = values n
  let at i j = if w[j] > w[i] || (w[j] == w[i] && j < i) then j else i
  in reduce_by_index (iota 40) at (-1) (map (% 40) w) (iota n)

entry rows (n: i64) =
  let w = values (n / 10)
  in map (\k -> reduce (place w) (-1) (map (\i -> (i + k) % (n / 10)) (iota (n / 10)))) (iota 30)

entry few (n: i64) =
  let w = values n
  in map (\k -> scan (place w) (-1) (map (\i -> (i + k) % n) (iota n))) (iota 2)
