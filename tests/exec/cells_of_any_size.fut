-- Cells whose arrays have sizes that only the cell knows: scans, filters, branches, loops whose
-- arrays grow or are updated in place, rows of rows; also below reductions, histograms, scatters.
-- tolerance: exact
-- ==
-- entry: scanned
-- input { [5i64, 0i64, 1i64, 300i64, 2i64] }
-- output { [3i64, 0i64, 0i64, 11325i64, 1i64] }
-- ==
-- entry: filtered
-- input { [5i64, 0i64, 1i64, 300i64, 2i64] }
-- output { [0i64, 0i64, 0i64, 970200i64, 0i64] }
-- ==
-- entry: chosen
-- input { [5i64, 0i64, 1i64, 300i64, 2i64] }
-- output { [25i64, 0i64, 1i64, 300i64, 2i64] }
-- ==
-- entry: grown
-- input { [5i64, 0i64, 1i64, 300i64, 2i64] }
-- output { [5i64, 0i64, 1i64, 300i64, 2i64] [10i64, 0i64, 0i64, 44850i64, 1i64] }
-- ==
-- entry: halved
-- input { [5i64, 0i64, 1i64, 300i64, 2i64] }
-- output { [10i64, 0i64, 0i64, 44850i64, 1i64] }
-- ==
-- entry: sieved
-- input { [5i64, 2i64, 3i64, 300i64, 30i64] }
-- output { [2i64, 0i64, 1i64, 62i64, 10i64] }
-- ==
-- entry: sorted
-- input { [5i64, 0i64, 1i64, 60i64, 2i64] }
-- output { [2i64, -1i64, 0i64, 30i64, 1i64] }
-- ==
-- entry: turned
-- input { [5i64, 0i64, 1i64, 40i64, 2i64] }
-- output { [100i64, 0i64, 0i64, 7706400i64, 0i64] }
-- ==
-- entry: reduced
-- input { [5i64, 0i64, 1i64, 300i64, 2i64] }
-- output { 11329i64 11325i64 }
-- ==
-- entry: counted
-- input { [5i64, 0i64, 1i64, 300i64, 2i64] }
-- output { [4i64, 1i64, 0i64] }
-- ==
-- entry: scattered
-- input { [5i64, 0i64, 1i64, 300i64, 2i64] }
-- output { [5i64, 300i64, 7i64, 7i64] }
-- ==
-- entry: searched
-- input { [27i64, 1i64, 6i64, 97i64] }
-- output { [111i64, 0i64, 8i64, 118i64] [9232i64, 1i64, 16i64, 9232i64] }

def middle (k: i64) : i64 =
  let ys = scan (+) 0 (iota k)
  in if k == 0 then 0 else ys[k / 2]

entry scanned [n] (ks: [n]i64) = map middle ks

entry filtered [n] (ks: [n]i64) =
  map (\k ->
         let ys = reverse (filter (\x -> x % 3 == 0) (iota k))
         in i64.sum (map2 (\y i -> 2 * y * i) ys (indices ys)))
      ks

entry chosen [n] (ks: [n]i64) =
  map (\k ->
         let ys = if k % 2 == 1 then replicate k k else [k / 2, k / 2]
         let zs = reverse ys
         in loop s = 0 for z in zs do s + z)
      ks

entry grown [n] (ks: [n]i64) =
  map (\k ->
         let (_, ys) = loop (i, ys) = (0i64, []) while i < k do (i + 1, ys ++ [i])
         in (length ys, i64.sum ys))
      ks
  |> unzip

-- Sums by halves, the sizes of which the loop carries.
entry halved [n] (ks: [n]i64) =
  map (\k ->
         let (ys, _) =
           loop (ys, m) = (iota k, k)
           while m > 1 do
             let h = (m + 1) / 2
             in (map (\i -> ys[i] + (if h + i < m then ys[h + i] else 0)) (iota h), h)
         in if length ys == 0 then 0 else ys[0])
      ks

-- Primes below k.
entry sieved [n] (ks: [n]i64) =
  map (\k ->
         let flags =
           loop flags = replicate k true
           for p < k - 2 do
             let p = p + 2
             in if flags[p]
                then loop flags for q < (k - 1) / p - 1 do flags with [p * (q + 2)] = false
                else flags
         in i64.sum (map i64.bool (drop 2 flags)))
      ks

-- The median of a permutation.
entry sorted [n] (ks: [n]i64) =
  map (\k ->
         let xs = map (\i -> i * 7 % k) (iota k)
         let ys =
           loop ys = copy xs
           for i < k do
             let (ys, _) =
               loop (ys, j) = (ys, i)
               while j > 0 && ys[j - 1] > ys[j] do
                 let y = ys[j]
                 let ys = ys with [j] = ys[j - 1]
                 in (ys with [j - 1] = y, j - 1)
             in ys
         in if k == 0 then -1 else ys[k / 2])
      ks

entry turned [n] (ks: [n]i64) =
  map (\k ->
         let rows = map (\i -> map (\j -> i * j) (iota k)) (iota k)
         let sums = map i64.sum (transpose rows)
         in i64.sum (map2 (*) sums (reverse (iota k))))
      ks

entry reduced [n] (ks: [n]i64) = (i64.sum (map middle ks), i64.maximum (map middle ks))

entry counted [n] (ks: [n]i64) =
  hist (+) 0 3 (map (\k -> middle k % 3) ks) (map (\k -> if k < 0 then middle k else 1) ks)

entry scattered [n] (ks: [n]i64) =
  scatter (replicate 4 7) (map (\k -> if k < 3 then -1 else (middle k + k) % 4) ks) ks

-- The steps and the summit of each path, of unknown length.
entry searched [n] (ks: [n]i64) =
  map (\k ->
         let (path, _) =
           loop (path, x) = ([k], k)
           while x != 1 do
             let x = if x % 2 == 0 then x / 2 else 3 * x + 1
             in (path ++ [x], x)
         in (length path - 1, i64.maximum path))
      ks
  |> unzip
