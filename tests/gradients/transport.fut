-- Particles and layers in the forms that articles on derivatives measure. `halo test --derivatives` checks them.

def step_lcg (s: u32) : u32 = s * 1664525 + 1013904223
def uniform (s: u32) : f64 = (f64.u32 (s >> 8) + 0.5) / 16777216

-- Neutrons through slabs: free paths, absorption by weights, scattering; each particle has its own length of life.
-- ==
-- entry: transport
-- input { [0.7, 1.3, 0.4] [0.3, 0.6, 0.2] [1.0, 0.5, 2.0] 40i64 }
entry transport [k] (total: [k]f64) (absorbed: [k]f64) (widths: [k]f64) (n: i64) : [k + 1]f64 =
  let ends = scan (+) 0 widths
  let slab x = i64.min (k - 1) (reduce (+) 0 (map (\e -> i64.bool (e <= x)) ends))
  let one i =
    let (tally, _, _, _, w, _) =
      loop (tally, x, mu, s, w, steps) = (replicate k 0f64, 0f64, 1f64, u32.i64 (i * 7919 + 1), 1f64, 0i64)
      while x >= 0 && x < ends[k - 1] && w > 0.05 && steps < 30 do
        let s = step_lcg s
        let j = slab x
        let x = x - mu * f64.log (uniform s) / total[j]
        let s = step_lcg s
        let lost = w * absorbed[j] / total[j]
        in (tally with [j] = tally[j] + lost, x, 2 * uniform s - 1, s, w - lost, steps + 1)
    in (tally, w)
  let (tallies, ws) = unzip (map one (iota n))
  in map f64.sum (transpose tallies) ++ [f64.sum ws]

-- Cross sections by poles in windows: a fit in powers of the energy, broadened poles with complex exponentials.
-- ==
-- entry: multipole
-- input { [[0.4, 0.1, 1.0, -0.5], [0.9, 0.2, 0.3, 0.7], [1.5, 0.05, -0.2, 0.4]] [[1.0, 0.5, 0.1], [0.2, -0.3, 0.4]] 0.3 25i64 }
entry multipole [p] [w] [d] (poles: [p][4]f64) (fits: [w][d]f64) (temperature: f64) (n: i64) : f64 =
  let one i =
    let e = 0.2 + f64.i64 (i * 31 % n) / f64.i64 n
    let window = i % w
    let fit = (loop (sum, power) = (0, 1) for c in fits[window] do (sum + c * power, power * f64.sqrt e)).0
    let (re, im) =
      loop (re, im) = (fit, 0)
      for j < p / w + 1 do
        let q = poles[(window + j * w) % p]
        let (x, y) = ((f64.sqrt e - q[0]) / temperature, q[1] / temperature)
        let size = f64.exp (y * y - x * x)
        let (zr, zi) = (size * f64.cos (2 * x * y), -size * f64.sin (2 * x * y))
        in (re + q[2] * zr - q[3] * zi, im + q[2] * zi + q[3] * zr)
    in re * re + im * im
  in f64.sum (map one (iota n))

-- Materials of several nuclides, whose grids are searched; the largest flux of each material.
-- ==
-- entry: sections
-- input { [[0.0, 0.3, 0.6, 1.0], [0.0, 0.2, 0.7, 1.0], [0.0, 0.5, 0.8, 1.0]]
--   [[1.0, 2.0, 0.5, 0.7], [0.2, 0.4, 0.9, 0.3], [3.0, 1.0, 2.0, 0.1]] [0.5, 1.5, 0.25] [0i64, 2i64, 3i64] 12i64 }
entry sections [k] [m] [s] (grids: [k][m]f64) (xs: [k][m]f64) (density: [k]f64) (starts: [s]i64) (n: i64) : [s - 1]f64 =
  let lookup (grid: [m]f64) (e: f64) =
    (loop (low, high) = (0, m - 1)
     while high - low > 1 do
       let middle = (low + high) / 2
       in if grid[middle] > e then (low, middle) else (middle, high)).0
  let macroscopic material i =
    let e = 0.05 + 0.9 * uniform (step_lcg (u32.i64 i))
    in loop sum = 0
       for j in starts[material]..<starts[material + 1] do
         let at = lookup grids[j] e
         let t = (e - grids[j, at]) / (grids[j, at + 1] - grids[j, at])
         in sum + density[j] * ((1 - t) * xs[j, at] + t * xs[j, at + 1])
  in tabulate (s - 1) (\a -> f64.maximum (map (macroscopic a) (iota n)))

-- A layer of convolutions with a stride over a batch, its norm by channel, a maximum of pairs.
-- ==
-- entry: layer
-- input { [[[0.1, 0.5, -0.3, 0.8, 0.2, 0.9, -0.4]], [[0.7, -0.2, 0.6, 0.3, -0.5, 0.4, 0.25]]] [[[0.5, -0.25, 1.0]], [[0.3, 0.7, -0.6]]]
--   [1.5, 0.75] [0.1, -0.2] }
entry layer [b] [c] [l] [k] [f] (batch: [b][c][l]f64) (filters: [k][c][f]f64) (scales: [k]f64) (shifts: [k]f64) : f64 =
  let m = (l - f) / 2 + 1
  let at x filter i = f64.sum (map2 (\row w -> f64.sum (map2 (*) (row[2 * i:2 * i + f] :> [f]f64) w)) x filter)
  let maps = map (\x -> map (\filter -> tabulate m (at x filter)) filters) batch
  let by_channel = map (\ys -> flatten ys) (transpose maps)
  let normed =
    map3 (\ys a s ->
            let mean = f64.sum ys / f64.i64 (b * m)
            let variance = f64.sum (map (\y -> (y - mean) ** 2) ys) / f64.i64 (b * m)
            in map (\y -> a * (y - mean) / f64.sqrt (variance + 0.001) + s) ys)
         by_channel
         scales
         shifts
  let pooled ys = tabulate (b * m / 2) (\i -> f64.max ys[2 * i] ys[2 * i + 1])
  in f64.sum (map (\ys -> f64.sum (map (\y -> y * y) (pooled ys))) normed)
