-- Updates in place in many forms: private arrays inside maps, slices, records, queues, transforms.
-- tolerance: 1e-9
-- ==
-- entry: private_arrays
-- input { [3, 1, 4] } output { [[0, 3, 6, 9], [0, 1, 2, 3], [0, 4, 8, 12]] [[3, 3, 4], [1, 3, 4], [3, 4, 4]] }
-- ==
-- entry: fft
-- input { [1.0, 2.0, 3.0, 4.0] } output { [10.0, -2.0, -2.0, -2.0] [0.0, 2.0, 0.0, -2.0] }
-- ==
-- entry: ring
-- input { 3i64 [1, 2, 3, 4, 5] } output { [4, 5, 3] 15 }
-- ==
-- entry: slices
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [[9, 9, 9], [4, 1, 6], [7, 4, 9]] }
-- ==
-- entry: pairs
-- input { [1, 2, 3] } output { [10, 2, 3] [1, 20, 3] }
-- ==
-- entry: knights
-- input { 5i64 0i64 0i64 } output { [[0, 3, 2, 3, 2], [3, 4, 1, 2, 3], [2, 1, 4, 3, 2], [3, 2, 3, 2, 3], [2, 3, 2, 3, 4]] }
-- ==
-- entry: flood
-- input { [[1, 1, 0], [0, 1, 0], [0, 0, 1]] } output { [[2, 2, 0], [0, 2, 0], [0, 0, 1]] }
-- ==
-- entry: permutations
-- input { 3i64 } output { [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] }
-- ==
-- entry: twice
-- input { [1, 2] } output { [5, 4] }
-- ==
-- entry: eliminate
-- input { [2.0, 1.0, 0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 2.0] } output { [2.0, 2.5, 1.6] }

def sort3 (xs: *[3]i32) : *[3]i32 =
  loop xs for i < 3 do
    loop xs for j < 2 - i do
      if xs[j] > xs[j + 1]
      then let t = xs[j]
           let xs[j] = xs[j + 1]
           in xs with [j + 1] = t
      else xs

entry private_arrays [n] (xs: [n]i32) =
  ( map (\x -> loop a = replicate 4 0 for i < 4 do a with [i] = x * i32.i64 i) xs
  , map (\i -> sort3 ([xs[0], xs[i], xs[2]])) (iota n)
  )

-- Radix 2, in place: bit reversal, then butterflies.
entry fft [n] (xs: [n]f64) =
  let bits = (loop (b, m) = (0, n) while m > 1 do (b + 1, m / 2)).0
  let reversed i = (loop (r, i) = (0, i) for _k < bits do (2 * r + (i & 1), i >> 1)).0
  let data = map (\i -> (xs[reversed i], 0.0)) (iota n)
  let (data, _) =
    loop (data: *[n](f64, f64), width) = (data, 1)
    while width < n do
      let data =
        loop data for start in 0..2 * width..<n do
          loop data for k < width do
            let a = -f64.pi * f64.i64 k / f64.i64 width
            let (c, s) = (f64.cos a, f64.sin a)
            let (ur, ui) = data[start + k]
            let (vr, vi) = data[start + k + width]
            let (tr, ti) = (vr * c - vi * s, vr * s + vi * c)
            let data[start + k] = (ur + tr, ui + ti)
            in data with [start + k + width] = (ur - tr, ui - ti)
      in (data, 2 * width)
  let rounded (x: f64) = f64.round (x * 1e6) / 1e6
  in unzip (map (\(re, im) -> (rounded re, rounded im)) data)

type ring [n] = {cells: [n]i32, next: i64}

def put [n] (r: *ring [n]) (x: i32) : *ring [n] =
  {cells = r.cells with [r.next] = x, next = (r.next + 1) % n}

entry ring (n: i64) (xs: []i32) =
  let start: ring [n] = {cells = replicate n 0, next = 0}
  let (r, sum) = loop (r: *ring [n], sum) = (start, 0) for x in xs do (put r x, sum + x)
  in (r.cells, sum)

entry slices [n] (a: *[n][n]i32) =
  let column = copy a[:, 0]
  let a[1:, 1] = take (n - 1) column :> []i32
  let a[0] = replicate n 9
  in a

entry pairs [n] (xs: [n]i32) =
  let both = map (\x -> (x, x)) xs
  let both[0] = (10, both[0].1)
  let both[1] = (both[1].0, 20)
  in unzip both

-- A queue in an array; distances of a knight's moves.
entry knights (n: i64) (x: i64) (y: i64) =
  let moves = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
  let board = replicate n (replicate n (-1)) with [y, x] = 0i32
  let queue = replicate (n * n) (0, 0) with [0] = (y, x)
  let (board, _, _, _) =
    loop (board, queue, head, tail) = (board, queue, 0, 1)
    while head < tail do
      let (y, x) = queue[head]
      let (board, queue, tail) =
        loop (board, queue, tail) for (dy, dx) in moves do
          let (v, u) = (y + dy, x + dx)
          in if v < 0 || u < 0 || v >= n || u >= n || board[v, u] >= 0
             then (board, queue, tail)
             else let steps = board[y, x] + 1
                  in (board with [v, u] = steps, queue with [tail] = (v, u), tail + 1)
      in (board, queue, head + 1, tail)
  in board

-- From the first cell, until nothing changes.
entry flood [n] [m] (image: *[n][m]i32) =
  let image[0, 0] = 2
  let near (image: [n][m]i32) (i: i64) (j: i64): bool =
    any (\(di, dj) ->
           let (y, x) = (i + di, j + dj)
           in y >= 0 && x >= 0 && y < n && x < m && image[y, x] == 2)
        [(0, 1), (1, 0), (0, -1), (-1, 0)]
  let (image, _) =
    loop (image, go) = (image, true)
    while go do
      let next = tabulate_2d n m (\i j -> if image[i, j] == 1 && near image i j then 2 else image[i, j])
      in (next, or (map2 (\a b -> or (map2 (!=) a b)) next image))
  in image

-- In lexicographic order, each from the one before.
entry permutations (n: i64) : [][]i32 =
  let count = reduce (*) 1 (map (+ 1) (iota n))
  let first = map i32.i64 (iota n)
  let (all, _) =
    loop (all, p) = (replicate count (replicate n 0), first)
    for k < count do
      let all[k] = p
      let i = loop i = n - 2 while i >= 0 && p[i] > p[i + 1] do i - 1
      let q =
        if i < 0
        then copy p
        else let j = loop j = n - 1 while p[j] < p[i] do j - 1
             let q = copy p with [i] = p[j] with [j] = p[i]
             in q with [i + 1:] = copy (reverse q[i + 1:] :> [n - (i + 1)]i32)
      in (all, q)
  in all

def apply_twice 'a (f: *a -> *a) (x: *a) : *a = f (f x)

entry twice (xs: *[]i32) =
  let step (ys: *[]i32) = let (a, b) = (ys[0], ys[1]) in ys with [0] = a + b with [1] = a + 1
  in apply_twice step xs

-- The pivots of a tridiagonal matrix that lies in one array.
entry eliminate [k] (flat: [k]f64) : [3]f64 =
  let a: [3][3]f64 = copy (unflatten (flat :> [3 * 3]f64))
  let a =
    loop a for i < 2 do
      let factor = a[i + 1, i] / a[i, i]
      let row = map2 (\x y -> x - factor * y) a[i + 1] a[i]
      in a with [i + 1] = row
  in map (\i -> a[i, i]) (iota 3)
