-- Cells that have a workgroup each: loops around parallel statements, arrays in shared memory.

def table (n: i64) (m: i64) : [n][m]i32 =
  tabulate_2d n m (\i j -> i32.i64 ((i * 7 + j * 13 + i * j) % 64) - 20)

-- ==
-- entry: scans matrices wide wavefront swapping until segments sums butterflies
-- input { 0i64 16i64 2i64 }
-- input { 1i64 0i64 3i64 }
-- input { 2i64 1i64 2i64 }
-- input { 3i64 16i64 0i64 }
-- input { 2i64 31i64 3i64 }
-- input { 5i64 33i64 1i64 }
-- input { 2i64 100i64 4i64 }
-- input { 1i64 128i64 2i64 }
-- input { 2i64 129i64 2i64 }
-- input { 1i64 256i64 2i64 }
-- input { 3i64 257i64 2i64 }
-- input { 1i64 700i64 2i64 }

-- Scans and maps of each step, in order.
entry scans (n: i64) (m: i64) (k: i64) : [n][m]i32 =
  map (\xs ->
         loop ys = xs
         for _i < k do
           let s = scan (+) 0 ys
           in map2 (\a b -> (a + 3 * b) % 1000) s (rotate 1 ys))
      (table n m)

-- Operators that do not commute, of tuples.
entry matrices (n: i64) (m: i64) (k: i64) : ([n][m]i32, [n]i32) =
  let times (a0, a1, a2, a3) (b0, b1, b2, b3): (i32, i32, i32, i32) =
    (b0 * a0 + b1 * a2, b0 * a1 + b1 * a3, b2 * a0 + b3 * a2, b2 * a1 + b3 * a3)
  in unzip (map (\xs ->
                   let ms = map (\x -> (x, 1, x + 1, 2)) xs
                   let rs = loop ms for _i < k do scan times (1, 0, 0, 1) ms
                   let s = map (\(a, b, c, d) -> a + b + c + d) rs
                   let (t, _, _, _) = reduce times (1, 0, 0, 1) ms
                   in (scan (+) 0 s, t))
                (table n m))

-- Elements of eight bytes and of one.
entry wide (n: i64) (m: i64) (k: i64) : ([n][m]f64, [n][m]bool, [n][m]i8) =
  unzip3 (map (\xs ->
                 loop (ys, bs, cs) = (map f64.i32 xs, map (> 0) xs, map i8.i32 xs)
                 for _i < k do
                   let zs = map2 (\y b -> if b then y + 1 else y * 2) ys (rotate 1 bs)
                   let ds = map2 (\z b -> (z > 8) != b) (reverse zs) bs
                   in (zs, ds, scan (+) 0 (map2 (\c d -> if d then c else -c) (reverse cs) ds)))
              (table n m))

-- In place, with a scatter, as wavefronts do.
entry wavefront (n: i64) (m: i64) (k: i64) : [n][][]i32 =
  let m = i64.min m 33
  in map (\x ->
            let board = replicate m (replicate m (x % 10))
            in loop (board: *[m][m]i32) for d < i64.min (8 * k) (2 * m - 1) do
                 let values =
                   map (\i ->
                          let j = d - i
                          in if j < 0 || j >= m
                             then 0
                             else (if i > 0 then board[i - 1, j] else 1) + (if j > 0 then board[i, j - 1] else 2))
                       (iota m)
                 let places =
                   map (\i -> let j = d - i in if j < 0 || j >= m then (-1, -1) else (i, j)) (iota m)
                 in scatter_2d board places (map (% 1000) values))
         (map i32.i64 (iota n))

-- Two arrays that change places; concatenations; a branch of each cell.
entry swapping (n: i64) (m: i64) (k: i64) : [n][]i32 =
  map (\xs ->
         let (a, b) =
           loop (a, b) = (copy xs, copy (reverse xs))
           for _i < k do
             (map2 (+) b (map (* 2) a), map (% 100) a)
         let c = if reduce (+) 0 xs > 0 then map2 (-) a b else scan i32.max i32.lowest b
         in c ++ map (+ 1) b)
      (table n m)

-- Steps until all elements are small: as many as each cell wants.
entry until (n: i64) (m: i64) (k: i64) : ([n][m]i32, [n]i32) =
  unzip (map (\xs ->
                let (ys, t, _) =
                  loop (ys, t, go) = (xs, 0, true)
                  while go do
                    let zs = map (/ 2) ys
                    let s = scan (+) 0 zs
                    in ( map2 (\z a -> if a > 40 then z else z / 3) zs s
                       , t + 1
                       , reduce i32.max 0 zs > i32.i64 k
                       )
                in (ys, t))
             (table n m))

-- Rows of a cell: lanes scan and reduce some each, blocks of rows are updated.
entry segments (n: i64) (m: i64) (k: i64) : [n][4][]i32 =
  let m = i64.min m 200
  in map (\x ->
            loop (rows: *[4][m]i32) = tabulate_2d 4 m (\i j -> x + i32.i64 (i * j % 9))
            for i < k do
              let s = map (\row -> scan (+) 0 row) rows
              let t = map (\row -> reduce i32.max 0 row) s
              let new = map2 (\row a -> map (\y -> (y + a) % 97) row) s t
              let new[i % 4] = copy rows[(i + 1) % 4]
              in new)
         (map i32.i64 (iota n))

-- Exact sums of floats and several results of a node.
entry sums (n: i64) (m: i64) (k: i64) : [n][m]f32 =
  map (\xs ->
         loop ys = map f32.i32 xs
         for _i < k do
           let total = f32.sum ys
           let (least, most) = (f32.minimum ys, f32.maximum ys)
           in map2 (\y c -> f32.trunc ((y + c - total) / 4 + least - most) % 16)
                   ys
                   (scan (+) 0 ys))
      (table n m)

-- Two arrays that change places, one of them written in two parts.
entry butterflies (n: i64) (m: i64) (k: i64) : [n][]i32 =
  let h = m / 2
  in map (\x ->
            let start = tabulate (2 * h) (\j -> x * 5 + i32.i64 (j * j % 23))
            let (ys, _) =
              loop (a: *[2 * h]i32, b: *[2 * h]i32) = (copy start, copy start)
              for s < k do
                let (is, vs, js, ws) =
                  unzip4 (tabulate h (\j ->
                                        let (d, e) = (a[j], a[j + h] * i32.i64 (s + 1))
                                        in (2 * j, (d + e) % 97, 2 * j + 1, (d - e) % 89)))
                in (scatter b (is ++ js :> [2 * h]i64) (vs ++ ws :> [2 * h]i32), a)
            in ys)
         (map i32.i64 (iota n))

-- A conjunction of cells that end their loops each at another step: the cells come first.
-- ==
-- entry: all_end
-- input { 1i64 64i64 }
-- output { true [31i64] }
-- input { 3i64 210i64 }
-- output { false [100i64, 52i64, 35i64] }
entry all_end (n: i64) (m: i64) : (bool, [n]i64) =
  let (oks, steps) =
    unzip (map (\(c: i64) ->
                  let (steps, _) =
                    loop (k, ys) = (0, replicate m 1i64)
                    while i64.sum ys < m * m / 2 && k < 100 do
                      (k + 1, map2 (\y j -> y + c + 1 - (ys[(j + 1) % m] - ys[j])) ys (iota m))
                  in (steps < 100, steps))
               (iota n))
  in (and oks, steps)
