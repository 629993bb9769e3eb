-- Cells of a nest that do several parallel things, one of them after the other.
-- ==
-- entry: normalise
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [[1i32, 3i32, 9i32], [2i32, 5i32, 18i32]] }
-- input { empty([0][3]i32) }
-- output { empty([0][3]i32) }
-- input { empty([3][0]i32) }
-- output { empty([3][0]i32) }
entry normalise [n] [m] (xss: [n][m]i32) : [n][m]i32 =
  map (\xs ->
         let s = i32.sum xs
         let c = scan (+) 0 xs
         in map2 (\x y -> (x * 10 + y) / (s - y + 4)) xs c)
      xss

-- Reductions and scans at three levels.
-- ==
-- entry: three
-- input { [[[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]]] }
-- output { [[[1i32, 3i32, 6i32], [10i32, 15i32, 21i32]]] [[6i32, 15i32]] [21i32] }
-- input { empty([2][0][4]i32) }
entry three [n] [m] [k] (xsss: [n][m][k]i32) : ([n][m][k]i32, [n][m]i32, [n]i32) =
  unzip3 (map (\xss ->
                 let sums = map i32.sum xss
                 let offsets = map2 (-) (scan (+) 0 sums) sums
                 in (map2 (\o xs -> map (+ o) (scan (+) 0 xs)) offsets xss, sums, i32.sum sums))
              xsss)

def cube (n: i64) (m: i64) (k: i64) : [n][m][k]i32 =
  tabulate_3d n m k (\i j l -> i32.i64 ((i * 31 + j * 17 + l * 7) % 23 - 11))

def flatten_to (n: i64) (m: i64) : [n][m]i32 = tabulate_2d n m (\i j -> i32.i64 ((i * 31 + j * 17) % 23 - 11))

-- ==
-- entry: three_shapes
-- input { 1i64 1i64 1i64 }
-- input { 7i64 13i64 29i64 }
-- input { 3i64 1i64 5003i64 }
-- input { 331i64 17i64 2i64 }
-- input { 0i64 5i64 5i64 }
entry three_shapes (n: i64) (m: i64) (k: i64) : ([n][m][k]i32, [n][m]i32, [n]i32) =
  three (cube n m k)

-- Cells with few elements stay whole, from 17 on they do not.
-- ==
-- entry: few_elements few_of_two_kinds
-- input { 5i64 0i64 }
-- input { 5i64 1i64 }
-- input { 0i64 16i64 }
-- input { 5i64 16i64 }
-- input { 5i64 17i64 }
-- input { 300i64 4i64 }
entry few_elements (n: i64) (m: i64) : [n][m]i32 =
  map (\xs -> let s = i32.sum xs in map (+ s) xs) (flatten_to n m)

entry few_of_two_kinds (n: i64) (m: i64) : [n][m]i32 =
  map (\xs ->
         let c = scan (+) 0 xs
         let s = i32.sum (map (\i -> i32.i64 i * 3) (iota (2 * m)))
         in map2 (\x y -> x * s - y) c xs)
      (flatten_to n m)

-- A loop that all cells run equally often changes places with the nest.
-- ==
-- entry: looping
-- input { 2i64 3i64 3i64 }
-- input { 5i64 307i64 4i64 }
-- input { 5i64 307i64 0i64 }
-- input { 70001i64 2i64 2i64 }
-- input { 0i64 3i64 3i64 }
entry looping (n: i64) (m: i64) (k: i64) : ([n][m]i32, [n]i32) =
  let xss = tabulate_2d n m (\i j -> i32.i64 ((i * 31 + j * 17) % 23))
  in unzip (map (\xs ->
                   ( loop ys = xs
                     for i < k do
                       let s = i32.sum ys
                       in map (\y -> (y + s) % 64 + i32.i64 i) (scan (+) 0 ys)
                   , xs[1]
                   ))
                xss)

-- Two carried values, one of them a scalar, and a size that the loop does not change.
-- ==
-- entry: carried
-- input { 3i64 40i64 5i64 }
entry carried (n: i64) (m: i64) (k: i64) : ([n][m]i64, [n]i64) =
  unzip (map (\i ->
                loop (ys, s) = (iota m, i)
                for j < k do
                  let t = i64.sum (map (* s) ys)
                  in (map (\y -> (y + t) % 101) ys, t % 7 + j))
             (iota n))

-- ==
-- entry: scattered
-- input { [[1i64, 0i64, 7i64], [2i64, -1i64, 0i64]] [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { [[2i32, 1i32, 9i32], [6i32, 9i32, 4i32]] [[1i32, 2i32, 3i32, 2i32, 1i32, 9i32], [4i32, 5i32, 6i32, 6i32, 9i32, 4i32]] }
entry scattered [n] [m] (iss: [n][m]i64) (xss: [n][m]i32) =
  unzip (map2 (\is xs -> let d = scatter (replicate m 9) is xs in (d, xs ++ d)) iss xss)

-- Rows into rows, two levels down.
-- ==
-- entry: scattered_rows
-- input { 3i64 5i64 21i64 }
entry scattered_rows (n: i64) (m: i64) (k: i64) : [n][m][k][2]i64 =
  tabulate n (\i ->
                tabulate m (\j ->
                              scatter (replicate k [i, j]) (map (\l -> l * 2 % k - 1) (iota k)) (map (\l -> [l, l * i]) (iota k))))

-- The map of a reduction, or of a scan, has parallel work of its own.
-- ==
-- entry: most
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] }
-- output { 15i32 [6i32, 21i32] }
entry most [n] [m] (xss: [n][m]i32) =
  let sums = map i32.sum xss
  in (i32.maximum sums, scan (+) 0 sums)

-- A value of the cell in the operator of its scan, and one in the neutral element.
-- ==
-- entry: own_operators
-- input { 4i64 50i64 }
entry own_operators (n: i64) (m: i64) : ([n][m]i64, [n]i64) =
  unzip (map (\i ->
                let xs = map (% (i + 2)) (iota m)
                in ( scan (\a b -> (a + b) % (i * 3 + 5)) 0 xs
                   , reduce i64.max i xs
                   ))
             (iota n))

-- A check that comes before what relies on it, and elements read before they are overwritten.
-- ==
-- entry: checked
-- input { [[5i64, 1i64, 2i64, 0i64], [3i64, 3i64, 1i64, 1i64]] 1i64 }
-- output { [9i64, 9i64] [[5i64, 7i64, 2i64, 0i64], [3i64, 7i64, 1i64, 1i64]] }
-- input { [[5i64, 1i64, 2i64, 0i64], [3i64, 3i64, 1i64, 1i64]] 4i64 }
-- error: index
entry checked [n] [m] (xss: [n][m]i64) (k: i64) : ([n]i64, [n][m]i64) =
  unzip (map (\xs ->
                let old = xs[k]
                let ys = copy xs with [k] = 7
                let s = i64.sum (map (* (xs[k] / xs[k])) xs)
                in (s + old - xs[k] + (if old == 1 then 1 else 1), ys))
             xss)

-- Sizes that differ from cell to cell stay in their cell.
-- ==
-- entry: irregular
-- input { 20i64 }
entry irregular (n: i64) : ([n]i64, [n]i64) =
  unzip (map (\i ->
                let xs = map (* i) (iota i)
                let ys = scan (+) 0 xs
                in (i64.sum ys, i64.sum (map (\j -> j * i % 7) (iota n))))
             (iota n))

-- Results that nothing makes: parameters, constants, one value twice.
-- ==
-- entry: passed
-- input { [[1i32, 2i32], [3i32, 4i32]] }
-- output { [[1i32, 2i32], [3i32, 4i32]] [3i32, 7i32] [3i32, 7i32] [5i32, 5i32] [[0i64, 1i64], [0i64, 1i64]] [[1i32, 3i32], [3i32, 7i32]] }
entry passed [n] [m] (xss: [n][m]i32) =
  let f xs = let s = i32.sum xs in (xs, s, s, 5i32, iota m, scan (+) 0 xs)
  let rs = map f xss
  in (map (.0) rs, map (.1) rs, map (.2) rs, map (.3) rs, map (.4) rs, map (.5) rs)
