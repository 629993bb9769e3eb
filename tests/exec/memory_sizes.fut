-- Arrays of sizes known at run time, allocated again and again; reductions of every kind.
-- ==
-- entry: grow
-- input { 10i64 }
-- ==
-- entry: growsum
-- input { 2000i64 }
-- ==
-- entry: hist
-- input { [1i64,5i64,2i64,1i64,-1i64,7i64] }
-- ==
-- entry: fil
-- input { [1i32,-5i32,2i32,1i32,-1i32,7i32] }
-- ==
-- entry: argmax
-- input { [1f32,-5f32,2f32,11f32,-1f32,7f32] }
-- ==
-- entry: ifarr
-- input { 3i64 true }
-- input { 3i64 false }
-- ==
-- entry: leak
-- input { 3000i64 }
-- ==
-- entry: stred
-- input { 100i64 }
-- ==
-- entry: d3
-- input { 5i64 4i64 3i64 }
-- ==
-- entry: big
-- input { 300i64 }
-- ==
-- entry: minmax
-- input { [1f32, -0f32, 0f32, f32.nan, 3f32, -f32.inf] }
-- input { empty([0]f32) }
-- ==
-- entry: bools
-- input { [true,false,true] [1i8,-1i8,0i8] }
entry grow (k: i64) : []i64 =
  loop xs = [1i64] for i < k do (let n = length xs in map (\j -> xs[j % n] + j) (iota (n + i)))

entry growsum (k: i64) : i64 =
  let r = loop xs = [1i64] for i < k do (let n = length xs in if n > 1000 then [i64.sum xs] else map (\j -> (xs[j % n] + j) % 1000) (iota (n + i)))
  in i64.sum r

entry hist [n] (is: [n]i64) : [8]i64 =
  loop h = replicate 8 0i64
  for i in is do
    if i >= 0 && i < 8 then h with [i] = h[i] + 1 else h

entry fil [n] (xs: [n]i32) : []i32 =
  let flags = map (\x -> if x > 0 then 1i64 else 0) xs
  let pos = scan (+) 0 flags
  let m = if n == 0 then 0 else pos[n - 1]
  in scatter (replicate m 0i32) (map2 (\f p -> if f == 1 then p - 1 else -1) flags pos) xs

entry argmax [n] (xs: [n]f32) : (f32, i64) =
  reduce (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j)) (-f32.inf, -1) (zip xs (iota n))

entry ifarr (n: i64) (c: bool) : ([]i64, [2][3]i64) =
  let a = if c then iota n else replicate (n * 2) 7
  let b = if c then [[1, 2, 3], [4, 5, 6]] else transpose [[1, 2], [3, 4], [5, 6]]
  in (a, b)

entry leak (k: i64) : i64 =
  loop s = 0
  for i < k do
    let xs = map (\j -> (j * i + s) % 1000) (iota (1000 + i))
    let ys = scan (+) 0 xs
    let zs = if i % 2 == 0 then map (+ 1) ys else ys
    in (s + zs[i % length zs]) % 100000

entry stred (n: i64) : (f32, f64, i32, i32, u8) =
  let xs = map (\i -> f32.i64 (i % 7) / 4) (iota n)
  in (f32.sum xs, f64.sum (map f64.f32 xs), i32.sum (map i32.f32 xs), reduce i32.max i32.lowest (map (\x -> i32.f32 (x * 8)) xs), reduce (^) 0u8 (map (\x -> u8.f32 (x * 4)) xs))

entry d3 (a: i64) (b: i64) (c: i64) =
  let xs = tabulate_3d a b c (\i j k -> i * 100 + j * 10 + k)
  in stencil_3d [(0, 0, 0), (-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1), (0, 0, 5)] (\_ v -> reduce (+) 0 v) (rep (rep (rep ()))) xs

entry big (n: i64) : i64 =
  let m = map (\i -> map (\j -> (i * j) % 17) (iota n)) (iota n)
  let r = map (\row -> let s = scan (+) 0 row let t = map (\x -> x * x) s in i64.sum t % 1000) m
  in i64.sum r

entry minmax [n] (xs: [n]f32) : (f32, f32) = (f32.minimum xs, f32.maximum xs)

entry bools [n] (bs: [n]bool) (is: [n]i8) : (bool, bool, [n]bool, [n]i8) =
  (reduce (&&) true bs, reduce (||) false bs, map (!) bs, map2 (\b i -> if b then i8.abs i else i8.i64 (i64.i8 i * 100)) bs is)
