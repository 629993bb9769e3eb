-- Kernels store slices where they lie. Of the array they read each cell's own element, or what is
-- apart from the slice; whatever else they read, they read before it changes.

def line (n: i64) : *[n]i32 = tabulate n (\i -> i32.i64 ((i * i + 7 * i) % 31))
def square (n: i64) : *[n][n]i32 = tabulate_2d n n (\i j -> i32.i64 ((i * i + 7 * i * j + 3 * j) % 31))

-- ==
-- entry: own apart shifted strided
-- input { 9i64 3i64 }
-- input { 9i64 0i64 }
-- input { 4i64 2i64 }
-- input { 5000i64 700i64 }
-- input { 70001i64 35000i64 }

-- Each cell's own element, and elements of other arrays.
entry own (n: i64) (k: i64) : [n]i32 =
  let xs = line n
  let xs = xs with [k:] = map2 (\x i -> x * 3 + i32.i64 i) xs[k:] (iota (n - k))
  in xs with [k:n - k] = map2 (\x y -> x - y) xs[k:n - k] (line n)[:n - k - k]

-- Slices in front and behind, and an element in front of the slice.
entry apart (n: i64) (k: i64) : [n]i32 =
  let xs = line n
  let xs = xs with [k:k + k] = map2 (+) xs[:k] xs[k:k + k]
  let xs = xs with [:k] = map (* 2) xs[k:k + k]
  let first = xs[0]
  in xs with [1:] = map (\x -> x + first * 5) xs[1:]

-- Neighbours: results are copied to the slice.
entry shifted (n: i64) (k: i64) : [n]i32 =
  let xs = line n
  let xs = xs with [1:] = map (+ 1) xs[:n - 1]
  let xs = xs with [:n - 1] = map (* 3) xs[1:]
  let xs = xs with [k:] = map (\i -> xs[n - 1 - i] + 1) (iota (n - k))
  let last = xs[n - 1]
  in xs with [k:] = map (\x -> x - last) xs[k:]

entry strided (n: i64) (k: i64) : [n]i32 =
  let xs = line n
  let xs = xs with [0:n:2] = map (+ 1) xs[0:n:2]
  let xs = xs with [::-1] = map (* 3) xs[::-1]
  let xs = xs with [::-1] = map (+ 2) xs
  in xs with [k::3] = map (* 5) xs[k::3]

-- ==
-- entry: column block turned rows pairs
-- input { 7i64 2i64 }
-- input { 7i64 0i64 }
-- input { 2i64 1i64 }
-- input { 150i64 37i64 }

-- A column below the diagonal by its pivot, then all behind it.
entry column (n: i64) (k: i64) : [n][n]i32 =
  let a = square n
  let a = a with [k + 1:, k] = map (+ a[k, k]) a[k + 1:, k]
  in a with [k + 1:, k + 1:] = map2 (\f row -> map2 (\x y -> x - f * y) row a[k, k + 1:]) a[k + 1:, k] a[k + 1:, k + 1:]

-- Another pivot inside of what changes, and a row inside of it.
entry block (n: i64) (k: i64) : [n][n]i32 =
  let a = square n
  let a = a with [k:, k] = map (+ a[k, k]) a[k:, k]
  in a with [k:, k:] = map2 (\f row -> map2 (\x y -> x - f * y) row a[k, k:]) a[k:, k] a[k:, k:]

-- The same slice with its axes exchanged.
entry turned (n: i64) (k: i64) : [n][n]i32 =
  let a = square n
  in a with [k:, k:] = map (map (+ 1)) (transpose a[k:, k:])

-- Cells that read all of their row.
entry rows (n: i64) (k: i64) : [n][n]i32 =
  let a = square n
  let a = a with [k:, :] = map (\row -> map2 (\x y -> x + 2 * y) row (reverse row)) a[k:, :]
  in a with [k] = map (\x -> x * a[k, 0]) a[k]

-- Two results of a kernel, in two arrays.
entry pairs (n: i64) (k: i64) : ([n][n]i32, [n]i32) =
  let a = square n
  let xs = line n
  let (ys, zs) = unzip (map2 (\x y -> (x + y, x - y)) a[k, k:] xs[k:])
  in (a with [k, k:] = ys, xs with [k:] = zs)
