-- Maps whose cells flatten, unflatten and reduce what they make: the shapes of benchmark kernels.
-- ==
-- entry: filtered
-- input { [[1i32, 2i32], [3i32, 4i32]] [[1i32, 0i32, 2i32], [0i32, 1i32, 0i32], [3i32, 0i32, 1i32]] }
-- output { [[5i32, 7i32, 4i32], [11i32, 5i32, 15i32], [6i32, 10i32, 17i32]] }
-- ==
-- entry: halves
-- input { [[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32]] } output { [[3i32, 7i32], [11i32, 15i32]] [10i32, 26i32] }
-- ==
-- entry: shown
-- input { [[1i32, 2i32, 3i32, 4i32]] } output { [[[2i32, 3i32], [4i32, 5i32]]] [[0i32, 2i32, 3i32, 4i32]] }
-- ==
-- entry: ordered
-- input { [[3u32, 1u32, 2u32], [9u32, 8u32, 7u32]] } output { [[1u32, 2u32, 3u32], [7u32, 8u32, 9u32]] }
-- ==
-- entry: nearest
-- input { [1i32, 9i32, 4i32, 6i32] [5i32, 0i32] } output { [[4i32, 6i32], [1i32, 4i32]] }
-- ==
-- entry: chosen
-- input { [[1i32, 2i32, 3i32], [0i32, 5i32, 1i32]] 2i64 }
-- output { [[1i32, 3i32, 6i32], [0i32, 5i32, 6i32]] }
entry filtered [n] [r] (weights: [r][r]i32) (image: [n][n]i32) : [n][n]i32 =
  tabulate_2d n n (\i j ->
                     i32.sum (flatten (tabulate_2d r r (\a b -> weights[a, b] * image[(i + a) % n, (j + b) % n]))))

entry halves [n] [m] (xss: [n][m]i32) : ([n][2]i32, [n]i32) =
  let h = m / 2
  in unzip (map (\xs ->
                   let ys = unflatten (xs :> [2 * h]i32)
                   in (map i32.sum ys, i32.sum (flatten (map (map (+ 0)) ys))))
                xss)

-- A reshaped array that is a result is an array of its own: changing it leaves the other alone.
entry shown [n] (xss: [n][4]i32) : ([n][2][2]i32, *[n][4]i32) =
  let (ys, zs) = unzip (map (\xs -> let y = map (+ 1) xs in (unflatten (y :> [2 * 2]i32), xs)) xss)
  in (ys, map (\z -> copy z with [0] = 0) zs)

entry ordered [n] [m] (xss: [n][m]u32) : [n][m]u32 =
  map (\xs ->
         loop xs = copy xs
         for b < 4 do
           let bits = map (\x -> i64.u32 ((x >> u32.i32 b) & 1)) xs
           let ones = scan (+) 0 bits
           let zeros = scan (+) 0 (map (1 -) bits)
           let first = if m > 0 then zeros[m - 1] else 0
           let is = map3 (\bit z o -> if bit == 0 then z - 1 else first + o - 1) bits zeros ones
           in scatter (copy xs) is xs)
      xss

-- Two best of each: a loop with a branch around a loop that changes an array in place.
entry nearest [n] [m] (points: [n]i32) (queries: [m]i32) : [m][2]i32 =
  map (\q ->
         let best =
           loop best = replicate 2 (1000i32, 0i32)
           for i < n do
             let d = i32.abs (points[i] - q)
             in if d >= best[1].0
                then best
                else if d < best[0].0 then [(d, points[i]), best[0]] else [best[0], (d, points[i])]
         in (let (_, ps) = unzip best in if ps[0] < ps[1] then ps else reverse ps))
      queries

entry chosen [n] [m] (xss: [n][m]i32) (steps: i64) : [n][m]i32 =
  map (\xs -> if steps > 1 then scan (+) 0 xs else loop ys = copy xs for _i < steps do map (* 2) ys) xss
