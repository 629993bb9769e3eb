-- Batches of small matrices whose loops change and read them in place: factorisations, shortest
-- paths, distances of words. A workgroup's cell has such a matrix in shared memory.
-- ==
-- entry: lu cholesky paths words sweeps
-- input { 0i64 16i64 }
-- input { 1i64 32i64 }
-- input { 3i64 20i64 }
-- input { 40i64 17i64 }
-- input { 2i64 70i64 }

def matrix (k: i64) (n: i64) : [n][n]f32 =
  tabulate_2d n n (\i j -> if i == j then f32.i64 n + 1 else f32.i64 ((i * 7 + j * 3 + k) % 5) / 4)

-- Doolittle's decomposition without pivots, in place.
entry lu (k: i64) (n: i64) : [k][n][n]f32 =
  #[incremental_flattening(only_intra)]
  map (\c ->
         loop a = matrix c n
         for i < n - 1 do
           let column = map (\r -> if r > i then a[r, i] / a[i, i] else a[r, i]) (iota n)
           let a[:, i] = column
           in map2 (\r row ->
                      map2 (\j x -> if r > i && j > i then x - a[r, i] * a[i, j] else x) (iota n) row)
                   (iota n)
                   a)
      (iota k)

entry cholesky (k: i64) (n: i64) : [k][n][n]f32 =
  #[incremental_flattening(only_intra)]
  map (\c ->
         let a = matrix c n
         let a = map2 (map2 (\x y -> (x + y) / 2)) a (transpose a)
         in loop l = copy a
            for j < n do
              let below =
                map (\i ->
                       if i < j
                       then 0
                       else (loop s = l[i, j] for q < j do s - l[i, q] * l[j, q]))
                    (iota n)
              let pivot = f32.sqrt (f32.abs below[j] + 1)
              let l[:, j] = map2 (\i x -> if i == j then pivot else x / pivot) (iota n) below
              in l)
      (iota k)

entry paths (k: i64) (n: i64) : [k][n][n]i32 =
  #[incremental_flattening(only_intra)]
  map (\c ->
         let d = tabulate_2d n n (\i j -> if i == j then 0 else i32.i64 ((i * 13 + j * 5 + c) % 97 + 1))
         in loop d = d
            for m < n do
              map (\row -> map2 (\j x -> i32.min x (row[m] + d[m, j])) (iota n) row) d)
      (iota k)

-- Edit distance along the diagonals of the table, which is changed in place.
entry words (k: i64) (n: i64) : [k]i32 =
  #[incremental_flattening(only_intra)]
  map (\c ->
         let letter (s: i64) (i: i64) = (i * i + s * 3 + i) % 4
         let m = n + 1
         let table = tabulate_2d m m (\i j -> if i == 0 then i32.i64 j else if j == 0 then i32.i64 i else 0)
         let table =
           loop table for s < 2 * n - 1 do
             let places = map (\q -> (q + 1, s - q + 1)) (iota n)
             let values =
               map (\(y, x) ->
                      if x < 1 || x > n
                      then 0
                      else let same = if letter c (y - 1) == letter 2 (x - 1) then 0 else 1
                           in i32.min (table[y - 1, x - 1] + same)
                                      (1 + i32.min table[y - 1, x] table[y, x - 1]))
                   places
             in scatter_2d table
                           (map (\(y, x) -> if x < 1 || x > n then (-1, -1) else (y, x)) places)
                           values
         in table[n, n])
      (iota k)

-- A line that is changed from both sides; what it was at first stays.
entry sweeps (k: i64) (n: i64) : ([k][n]i64, [k][n]i64) =
  unzip (#[incremental_flattening(only_intra)]
         map (\c ->
                let first = map (\i -> (i * c + 3) % 11) (iota n)
                let (a, b) =
                  loop (a, b) = (copy first, replicate n 0)
                  for s < 9 do
                    let left = map (\i -> a[(i + 1) % n] + b[i]) (iota n)
                    let right = map2 (-) left a
                    in (left, right)
                in (map2 (+) a first, b))
             (iota k))
