-- Sorting, clustering, signals and prices as written by hand.

-- | A number for each place, by a linear congruence.
def noise (seed: u32) (i: i64) : u32 =
  let x = (u32.i64 i + seed) * 2654435761
  let x = (x ^ (x >> 15)) * 2246822519
  in x ^ (x >> 13)

-- ==
-- entry: bitonic
-- input { 4i64 }
-- notest input { 22i64 }

-- | Bitonic sort of 2 to the power k keys. Gives the key in the middle.
entry bitonic (k: i64) : u32 =
  let n = 1i64 << k
  let keys = tabulate n (noise 1)
  let sorted =
    loop xs = keys
    for p < k do
      loop xs for q in p..p - 1...0 do
        let d = 1i64 << q
        in tabulate n (\i ->
                         let other = i ^ d
                         let ascends = (i >> (p + 1)) & 1 == 0
                         let low = (i & d) == 0
                         in if low == ascends then u32.min xs[i] xs[other] else u32.max xs[i] xs[other])
  in sorted[n / 2]

-- ==
-- entry: radix
-- input { 100i64 }
-- notest input { 4194304i64 }

-- | Radix sort by two bits at a time: a scan of four counts, then a scatter.
entry radix (n: i64) : u32 =
  let step (xs: [n]u32) (b: i32) =
    let digit x = i64.u32 ((x >> u32.i32 (2 * b)) & 3)
    let flags = map (\x -> let d = digit x in (i64.bool (d == 0), i64.bool (d == 1), i64.bool (d == 2), i64.bool (d == 3))) xs
    let plus (a, b, c, d) (e, f, g, h) = (a + e, b + f, c + g, d + h)
    let sums = scan plus (0, 0, 0, 0) flags
    let (na, nb, nc, _) = if n == 0 then (0, 0, 0, 0) else last sums
    let place x (a, b, c, d) =
      let k = digit x
      in if k == 0 then a - 1 else if k == 1 then na + b - 1 else if k == 2 then na + nb + c - 1 else na + nb + nc + d - 1
    in scatter (copy xs) (map2 place xs sums) xs
  let sorted = loop xs = tabulate n (noise 7) for b < 16 do step xs b
  in sorted[n / 2]

-- ==
-- entry: kmeans
-- input { 20i64 3i64 2i64 2i32 }
-- notest input { 400000i64 8i64 16i64 20i32 }

-- | Lloyd's k-means of n points in d dimensions; sums of clusters meet in histograms of rows.
entry kmeans (n: i64) (k: i64) (d: i64) (steps: i32) : f32 =
  let points = tabulate_2d n d (\i j -> f32.u32 (noise 3 (i * d + j) >> 8) / 16777216)
  let distance (a: [d]f32) (b: [d]f32) = f32.sum (map2 (\x y -> (x - y) * (x - y)) a b)
  let nearest (centres: [k][d]f32) p =
    let pick (i, a) (j, b) = if a < b || (a == b && i < j) then (i, a) else (j, b)
    in (reduce_comm pick (k, f32.inf) (zip (iota k) (map (distance p) centres))).0
  let centres =
    loop centres = take k points
    for _i < steps do
      let homes = map (nearest centres) points
      let sums = reduce_by_index (replicate k (replicate d 0)) (map2 (+)) (replicate d 0) homes points
      let counts = hist (+) 0 k homes (map (const 1i32) homes)
      in map2 (\sum c -> map (/ f32.i32 (i32.max 1 c)) sum) sums counts
  in f32.sum (map f32.sum centres)

def cmul (a: f32, b: f32) (c: f32, d: f32) = (a * c - b * d, a * d + b * c)

-- ==
-- entry: spectra
-- input { 2i64 3i64 }
-- notest input { 512i64 11i64 }

-- | Fourier transforms of rows of 2 to the power k numbers (Stockham), and back. Gives the largest error.
entry spectra (rows: i64) (k: i64) : f32 =
  let n = 1i64 << k
  let half = n / 2
  let transform (sign: f32) (row: [n](f32, f32)) =
    loop row for q < k do
      let l = 1i64 << q
      in tabulate n (\i ->
                       let block = i / (2 * l)
                       let inner = i % l
                       let j = block * l + inner
                       let angle = sign * 2 * f32.pi * f32.i64 inner / f32.i64 (2 * l)
                       let (a, b) = row[j]
                       let (c, d) = cmul (f32.cos angle, f32.sin angle) row[j + half]
                       in if (i / l) % 2 == 0 then (a + c, b + d) else (a - c, b - d))
  let signal = tabulate_2d rows n (\r i -> (f32.u32 (noise 5 (r * n + i) >> 8) / 16777216, 0f32))
  let back = map (transform 1) (map (transform (-1)) signal)
  let error (a, _) (b, _) = f32.abs (a - b / f32.i64 n)
  in f32.maximum (map2 (\x y -> f32.maximum (map2 error x y)) signal back)

-- ==
-- entry: asian_option
-- input { 10i64 4i64 }
-- notest input { 262144i64 64i64 }

-- | The price of an option on the mean of a path, by simulation: a random walk for each of n paths.
entry asian_option (n: i64) (steps: i64) : f32 =
  let dt = 1 / f32.i64 steps
  let path p =
    let (_, mean) =
      loop (s, mean) = (100f32, 0f32)
      for t < steps do
        let u = (f32.u32 (noise 11 (2 * (p * steps + t)) >> 8) + 0.5) / 16777216
        let v = (f32.u32 (noise 11 (2 * (p * steps + t) + 1) >> 8) + 0.5) / 16777216
        let z = f32.sqrt (-2 * f32.log u) * f32.cos (2 * f32.pi * v)
        let s = s * f32.exp ((0.05 - 0.02) * dt + 0.2 * f32.sqrt dt * z)
        in (s, mean + s / f32.i64 steps)
    in f32.max 0 (mean - 100)
  in f32.exp (-0.05) * f32.sum (map path (iota n)) / f32.i64 n

-- ==
-- entry: bodies
-- input { 8i64 2i32 }
-- notest input { 16384i64 4i32 }

-- | Attraction between all pairs of n bodies.
entry bodies (n: i64) (steps: i32) : f32 =
  let place i c = f32.u32 (noise 13 (3 * i + c) >> 8) / 16777216
  let start = tabulate n (\i -> {p = (place i 0, place i 1, place i 2), v = (0f32, 0f32, 0f32)})
  let pull (x, y, z) (a, b, c) =
    let (dx, dy, dz) = (a - x, b - y, c - z)
    let s = 1 / f32.sqrt (dx * dx + dy * dy + dz * dz + 0.01)
    let k = s * s * s
    in (k * dx, k * dy, k * dz)
  let sum (a, b, c) (d, e, f) = (a + d, b + e, c + f)
  let bodies =
    loop bodies = start
    for _i < steps do
      let pulls = map (\b -> reduce sum (0, 0, 0) (map (\o -> pull b.p o.p) bodies)) bodies
      let moved b (ax, ay, az) =
        let (vx, vy, vz) = b.v
        let v = (vx + 0.001 * ax, vy + 0.001 * ay, vz + 0.001 * az)
        let (x, y, z) = b.p
        in {p = (x + 0.001 * v.0, y + 0.001 * v.1, z + 0.001 * v.2), v = v}
      in map2 moved bodies pulls
  in f32.sum (map (\b -> b.p.0) bodies)

-- ==
-- entry: convolution
-- input { 1i64 2i64 2i64 6i64 }
-- notest input { 16i64 32i64 32i64 64i64 }

-- | A layer of three by three filters over pictures of c channels, with a rectifier behind it.
entry convolution (pictures: i64) (c: i64) (f: i64) (n: i64) : f32 =
  let inputs = tabulate pictures (\b -> tabulate_3d c n n (\k i j -> f32.i64 ((b + k + i * 3 + j) % 11) - 5))
  let filters = tabulate f (\o -> tabulate_3d c 3 3 (\k i j -> f32.i64 ((o + k + i + j) % 5) - 2))
  let layer (picture: [c][n][n]f32) (filter: [c][3][3]f32) =
    tabulate_2d (n - 2) (n - 2) (\i j ->
                                   f32.max 0 (f32.sum (tabulate c (\k ->
                                                                     f32.sum (tabulate 3 (\di ->
                                                                                            f32.sum (tabulate 3 (\dj -> picture[k, i + di, j + dj] * filter[k, di, dj]))))))))
  in f32.sum (map (\p -> f32.sum (map (\o -> f32.sum (map f32.sum (layer p o))) filters)) inputs)
