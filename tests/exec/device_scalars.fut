-- Scalars that only kernels look at stay on the device: results of reductions, and what is computed
-- from them, in loops and branches too.

-- ==
-- entry: normalise
-- input { [1f32, 2f32, 3f32, 6f32] } output { [-2f32, -1f32, 0f32, 3f32] }
entry normalise (xs: [4]f32) : [4]f32 =
  let mean = f32.sum xs / 4
  in map (\x -> x - mean) xs

-- ==
-- entry: repeated
-- input { 3 [2f32, 4f32] } output { [2f32, 2f32] }
-- input { 0 [2f32, 4f32] } output { [2f32, 4f32] }
entry repeated [n] (k: i32) (xs: [n]f32) : [n]f32 =
  loop xs for _i < k do
    let most = f32.maximum xs
    let rest = f32.minimum xs + most
    in map (\x -> x * 0 + rest - most) xs

-- One that the host needs as well, one that it does not.
-- ==
-- entry: twice
-- input { [3i32, -5i32, 4i32] } output { [2i32, 10i32, 1i32] 2i32 }
entry twice [n] (xs: [n]i32) : ([n]i32, i32) =
  let s = i32.sum xs
  let least = i32.minimum xs
  in (map (\x -> i32.abs (x + least)) xs |> map (\x -> i32.abs (x - s + 2)), s)

-- ==
-- entry: branches
-- input { true [1i32, 2i32] } output { [4i32, 5i32] }
-- input { false [1i32, 2i32] } output { [-1i32, 0i32] }
entry branches (up: bool) (xs: []i32) : []i32 =
  let s = i32.sum xs
  in if up then map (+ s) xs else map (\x -> x + 1 - s) xs

-- ==
-- entry: nested
-- input { [[1f32, 3f32], [2f32, 6f32]] } output { [[0.25f32, 0.75f32], [0.25f32, 0.75f32]] }
entry nested [n] [m] (xss: [n][m]f32) : [n][m]f32 =
  map (\xs -> let s = f32.sum xs in map (/ s) xs) xss

-- ==
-- entry: flags
-- input { [1i32, 0i32] } output { [1i32, 0i32] }
-- input { [1i32, 2i32] } output { [-1i32, -2i32] }
entry flags [n] (xs: [n]i32) : [n]i32 =
  let some_zero = any (== 0) xs
  in map (\x -> if some_zero then x else -x) xs

-- Chains of scalars: short ones, of which operands are shared, and long ones.
-- ==
-- entry: shared
-- input { [1i32, 2i32] } output { [57i32, 58i32] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry shared [n] (xs: [n]i32) : [n]i32 =
  let a = i32.sum xs
  let b = a * (1 + a)
  let c = (b + 1) * b
  in map (\x -> x + c - b * (1 + a) - b - (a + c) + (b + a) + a * (b + c) % 200) xs

-- ==
-- entry: long
-- input { [1i64, 2i64] [0i64, 1i64, 0i64] } output { [1307891i64, 1803896i64] 1i64 }
-- input { [1i64, 2i64] [1i64, 2i64] } output { [1577389i64, 2073394i64] 2i64 }
entry long [n] (xs: [n]i64) (ys: []i64) : ([n]i64, i64) =
  let s = i64.sum xs
  let step (x: i64) = (x ^ 21) * 3 + s
  let far = step (step (step (step (step (step (step (step (step s))))))))
  let top = i64.maximum ys
  let other = step (step (step (step (step (step (step (step (step top))))))))
  let (zs, k) =
    loop (zs, k) = (xs, 0)
    while i64.sum zs + far < other * 2 && k < 5 do
      (map (\x -> x * far + (other - far) % 1000) zs, k + top)
  in (map (+ (far + other)) zs, k)
