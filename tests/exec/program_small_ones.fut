-- Loops that grow and filter arrays, run lengths, segments, searches, triangles: what tests of Futhark look like.
def remove_dups [n] (xs: [n]i32) : []i32 = map (\i -> xs[i]) (filter (\i -> i == 0 || xs[i] != xs[i - 1]) (iota n))
entry dups = remove_dups
entry grow (n: i32) : []i32 = loop xs = [] for i < n do if i % 3 == 0 then xs ++ [i] ++ map (+ i) xs else filter ((% 2) >-> (== 0)) (xs ++ [i])
entry parts [n] (xs: [n]f32) = let (a, b, c) = partition2 (< 0) (> 1) xs in (a, b, c)

entry rle [n] (xs: [n]i32) : ([]i32, []i64) =
  let starts = map2 (\i x -> i == 0 || x != xs[i - 1]) (iota n) xs
  let idx = map i64.bool starts |> scan (+) 0 |> map (\x -> x - 1)
  let m = if n == 0 then 0 else last idx + 1
  in (scatter (replicate m 0) (map2 (\s i -> if s then i else -1) starts idx) xs, reduce_by_index (replicate m 0) (+) 0 idx (replicate n 1))

entry histo (xs: [](i32)) = reduce_by_index (replicate 4 (0, i32.highest)) (\(a, b) (c, d) -> (a + c, i32.min b d)) (0, i32.highest) (map (\x -> i64.i32 (x % 4)) xs) (map (\x -> (1, x)) xs) |> unzip
entry sgm [n] (xs: [n]f32) (fl: [n]bool) = let (_, ys) = unzip (scan (\(f1, v1) (f2, v2) -> (f1 || f2, if f2 then v2 else v1 + v2)) (false, 0) (zip fl xs)) in ys
entry mx [n] [m] (a: [n][m]i32) = (map (reduce i32.max i32.lowest) a, map i32.minimum (transpose a), reduce (map2 i32.max) (replicate m i32.lowest) a)
entry wind [n] (xs: [n]i32) (k: i64) = map (\i -> i32.sum xs[i:i + k]) (iota (n - k + 1))
entry rev2 [n] [m] (a: [n][m]i32) = (a[::-1, ::-1], map reverse a, a[n - 1, ::2], a[:, 0])
entry nested [n] (xs: [n]i32) = map (\x -> let ys = iota (i64.i32 x) in i64.sum (map (\y -> i64.sum (iota y)) ys)) xs
entry binsearch [n] (xs: [n]i32) (ks: []i32) = map (\k -> (loop (l, r) = (0, n) while l < r do let m = (l + r) / 2 in if xs[m] < k then (m + 1, r) else (l, m)).0) ks
entry tri (n: i64) = map (\i -> map (\j -> if j <= i then i * n + j else 0) (iota n)) (iota n) |> flatten |> filter (!= 0)
entry poly (cs: []f64) (x: f64) = (foldl (\a c -> a * x + c) 0 cs, foldr (\c a -> a * x + c) 0 cs, reduce (+) 0 (map2 (\c i -> c * x ** f64.i64 i) cs (indices cs)))
entry collatz (n: i32) = map (\i -> (loop (x, c) = (i + 1, 0) while x != 1 do ((if x % 2 == 0 then x / 2 else 3 * x + 1), c + 1)).1) (map i32.i64 (iota (i64.i32 n)))

-- ==
-- entry: dups
-- input { [1,1,2,2,3,1] } output { [1,2,3,1] }
-- input { empty([0]i32) } output { empty([0]i32) }
-- ==
-- entry: grow
-- input { 10 }
-- ==
-- entry: parts
-- input { [-1f32, 0.5f32, 2f32, -3f32, 1f32] } output { [-1f32,-3f32] [2f32] [0.5f32, 1f32] }
-- ==
-- entry: rle
-- input { [1,1,2,2,2,5] } output { [1,2,5] [2i64,3i64,1i64] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i64) }
-- ==
-- entry: histo
-- input { [1,5,2,8,9] } output { [1,3,1,0] [8,1,2,2147483647] }
-- ==
-- entry: sgm
-- input { [1f32,2f32,3f32] [true,false,true] } output { [1f32,3f32,3f32] }
-- ==
-- entry: mx
-- input { [[1,5],[7,2],[3,4]] } output { [5,7,4] [1,2] [7,5] }
-- input { empty([0][2]i32) }
-- ==
-- entry: wind
-- input { [1,2,3,4] 2i64 } output { [3,5,7] }
-- ==
-- entry: rev2
-- input { [[1,2,3],[4,5,6]] } output { [[6,5,4],[3,2,1]] [[3,2,1],[6,5,4]] [4,6] [1,4] }
-- ==
-- entry: nested
-- input { [3,0,5] } output { [1i64,0i64,10i64] }
-- ==
-- entry: binsearch
-- input { [1,3,5,7] [0,1,4,8] } output { [0i64,0i64,2i64,4i64] }
-- ==
-- entry: tri
-- input { 3i64 } output { [3i64,4i64,6i64,7i64,8i64] }
-- ==
-- entry: poly
-- input { [1.0,2.0,3.0] 2.0 } output { 11.0 17.0 17.0 }
-- ==
-- entry: collatz
-- input { 7 } output { [0,1,7,2,5,8,16] }
