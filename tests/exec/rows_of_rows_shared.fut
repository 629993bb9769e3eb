-- What a nest computes alike at every outer position is computed once: code of two or three inner
-- positions, and sums. Each is compared with the same operations without a nest.
-- ==
-- entry: distances
-- input { [[1f32, 2f32, 3f32], [-1f32, 0.5f32, 0f32]] [[0f32, 1f32, 2f32]] [[0f32, 0.5f32, -1f32]] }
-- output { [[-2.4268088f32], [-1.6104558f32]] }
-- input { empty([0][3]f32) [[0f32, 1f32, 2f32]] [[0f32, 0.5f32, -1f32]] } output { empty([0][1]f32) }
-- input { [[1f32, 2f32], [-1f32, 0.5f32]] empty([0][2]f32) empty([0][2]f32) } output { empty([2][0]f32) }
-- input { empty([2][0]f32) empty([3][0]f32) empty([3][0]f32) }
-- output { [[0f32, 0f32, 0f32], [0f32, 0f32, 0f32]] }

-- ==
-- entry: made read deep joined
-- input { 3i64 4i64 5i64 } output { true }
-- input { 70i64 33i64 40i64 } output { true }
-- input { 2i64 1i64 300i64 } output { true }
-- input { 1i64 1i64 1i64 } output { true }
-- input { 0i64 4i64 5i64 } output { true }
-- input { 3i64 0i64 5i64 } output { true }
-- input { 3i64 4i64 0i64 } output { true }
-- input { 0i64 0i64 0i64 } output { true }

-- ==
-- entry: checked
-- input { 3i64 [[1i64, 2i64], [4i64, 5i64]] } output { [[0i64, 0i64], [1500i64, 450i64], [3000i64, 900i64]] }
-- input { 0i64 [[1i64, 2i64], [0i64, 5i64]] } output { empty([0][2]i64) }
-- input { 3i64 [[1i64, 2i64], [0i64, 5i64]] } error: H7003

def equal [n] (xs: [n]f32) (ys: [n]f32) = and (map2 (==) xs ys)

-- The objective of a mixture of Gaussians: sums that fusion joins, exponentials of two positions.
entry distances [n] [m] [k] (points: [n][k]f32) (means: [m][k]f32) (scales: [m][k]f32) : [n][m]f32 =
  let term p a b = f32.sum b - 0.5 * f32.sum (map3 (\x y z -> ((x - y) * f32.exp z) ** 2) p a b)
  in map (\p -> map2 (term p) means scales) points

def number (i: i64) : f32 = f32.i64 (i % 17) * 0.125 - 1
def table (m: i64) (k: i64) : [m][k]f32 = tabulate_2d m k (\j l -> number (3 * j + l))

-- The nest makes an array of all positions.
entry made (n: i64) (m: i64) (k: i64) : bool =
  let (vs, ws) = (tabulate m number, tabulate k number)
  let nest = tabulate n (\i -> map (\v -> map (\w -> number i * f32.exp (v * w)) ws) vs)
  let flat = tabulate (n * m * k) (\p -> number (p / (m * k)) * f32.exp (number (p / k % m) * number (p % k)))
  in equal (flatten_3d nest) flat

-- It reads a table of two positions; the maximum is the same in any order.
entry read (n: i64) (m: i64) (k: i64) : bool =
  let ws = table m k
  let nest = tabulate_2d n m (\i j -> f32.maximum (map (\w -> number i * f32.cos w) ws[j]))
  let nest =
    map (\i -> map (\row -> f32.maximum (map (\w -> number i * f32.cos w) row)) ws) (iota n)
    |> map2 (map2 f32.max) nest
  let flat = tabulate (n * m) (\p -> loop y = -f32.inf for l < k do f32.max y (number (p / m) * f32.cos ws[p % m, l]))
  in equal (flatten nest) flat

-- Three inner positions, and cells around the nest.
entry deep (n: i64) (m: i64) (k: i64) : bool =
  let wss = tabulate_3d m k 3 (\j l q -> number (j + 5 * l + 7 * q))
  let nest =
    map (\i -> map (map (\ws -> f32.maximum (map (\w -> number i * f32.exp w) ws))) wss) (iota n)
  let cells =
    map (\ws -> map (\i -> map (\row -> f32.maximum (map (\w -> number i * f32.exp w) row)) ws) (iota n)) wss
  let flat j l i = loop y = -f32.inf for q < 3 do f32.max y (number i * f32.exp wss[j, l, q])
  in equal (flatten_3d nest) (map (\p -> flat (p / k % m) (p % k) (p / (m * k))) (iota (n * m * k)))
     && equal (flatten_3d cells) (map (\p -> flat (p / (n * k)) (p % k) (p / k % n)) (iota (m * n * k)))

-- Sums of whole numbers: alone, joined with one that varies, and of both inner positions.
entry joined (n: i64) (m: i64) (k: i64) : bool =
  let xss = tabulate_2d n k (\i l -> (i * 7 + l) % 11)
  let wss = tabulate_2d m k (\j l -> (j * 5 + l * 3) % 13)
  let vsss = tabulate_3d m k 4 (\j l q -> (j + l * 3 + q) % 5)
  let cell xs ws vss =
    let (a, b) = (i64.sum (map (\w -> w * w) ws), i64.sum (map2 (*) xs ws))
    in a * b + i64.maximum ws % 7 + i64.sum (map2 (\x vs -> x * i64.sum vs) xs vss)
  let nest = map (\xs -> map2 (cell xs) wss vsss) xss
  let plain i j =
    loop (a, b, c, d) = (0, 0, i64.lowest, 0)
    for l < k do
      let v = loop v = 0 for q < 4 do v + vsss[j, l, q]
      in (a + wss[j, l] * wss[j, l], b + xss[i, l] * wss[j, l], i64.max c wss[j, l], d + xss[i, l] * v)
  let flat = map (\p -> let (a, b, c, d) = plain (p / m) (p % m) in a * b + c % 7 + d) (iota (n * m))
  in and (map2 (==) (flatten nest) flat)

-- A sum that may fail stays inside of the nest, which may be empty.
entry checked [m] [k] (n: i64) (wss: [m][k]i64) : [n][m]i64 =
  map (\i -> map (\ws -> i * i64.sum (map (1000 /) ws)) wss) (iota n)
