-- SRAD (Rodinia 3.1): speckle-reducing anisotropic diffusion of an ultrasound image (Yu & Acton
-- 2002). Smooths where the image varies no more than its speckle does, and stops at edges. Two
-- stencils per step: the diffusion coefficient of each cell, then the flow between cells.
--
-- run: --entry=picture @data/chip.png --save srad.png
-- tolerance: 1e-4
-- ==
-- input { [[90u8, 95u8, 100u8, 180u8, 190u8], [88u8, 92u8, 110u8, 185u8, 200u8], [91u8, 89u8,
--   105u8, 190u8, 186u8], [40u8, 60u8, 100u8, 170u8, 210u8]] }
-- output { [[133.37184f32, 133.56107f32, 133.86697f32, 134.17249f32, 134.36113f32], [133.37033f32,
--   133.55959f32, 133.86548f32, 134.17104f32, 134.35966f32], [133.36821f32, 133.55745f32,
--   133.8634f32, 134.16893f32, 134.35762f32], [133.36671f32, 133.55598f32, 133.86192f32,
--   134.16748f32, 134.35614f32]] }

-- | Square of the speckle's coefficient of variation over the whole image: variance over squared
-- mean, summed in f64.
def speckle [n] [m] (image: [n][m]f32) : f32 =
  let cells = map f64.f32 (flatten image)
  let (sum, sum_of_squares) =
    reduce (\(a, b) (c, d) -> (a + c, b + d)) (0f64, 0f64) (map (\x -> (x, x * x)) cells)
  let mean = sum / f64.i64 (n * m)
  let variance = sum_of_squares / f64.i64 (n * m) - mean * mean
  in f32.f64 (variance / (mean * mean))

-- | One step. The coefficient is 1 in smooth regions and 0 across edges; a cell's own coefficient
-- governs the flow to the north and west, its neighbour's that to the south and east.
def step [n] [m] (lambda: f32) (image: [n][m]f32) : *[n][m]f32 =
  let q0 = speckle image
  let cells =
    stencil_2d [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)]
               (\() v ->
                  let x = v[0]
                  let (north, south, west, east) = (v[1] - x, v[2] - x, v[3] - x, v[4] - x)
                  let g = (north * north + south * south + west * west + east * east) / (x * x)
                  let l = (north + south + west + east) / x
                  let d = 1f32 + 0.25f32 * l
                  let q = (0.5f32 * g - l * l / 16f32) / (d * d)
                  let c = 1f32 / (1f32 + (q - q0) / (q0 * (1f32 + q0)))
                  in (f32.max 0f32 (f32.min 1f32 c), north, south, west, east))
               (rep (rep ()))
               image
  let coefficients = map (map (.0)) cells
  let flow =
    stencil_2d [(0, 0), (1, 0), (0, 1)]
               (\(_, north, south, west, east) c -> c[0] * (north + west) + c[1] * south + c[2] * east)
               cells
               coefficients
  in map2 (map2 (\x f -> x + 0.25f32 * lambda * f)) image flow

-- | 100 steps on an 8-bit image, in logarithmic scale as Rodinia does; grey levels 0 to 255.
entry main [n] [m] (image: [n][m]u8) : [n][m]f32 =
  let start = map (map (\x -> f32.exp (f32.u8 x / 255f32))) image
  let smooth = loop i = start for _i < 100i32 do step 0.5f32 i
  in map (map (\x -> f32.log x * 255f32)) smooth

-- | The same as a picture: grey levels 0 to 1.
entry picture [n] [m] (image: [n][m]u8) : [n][m]f32 =
  map (map (\x -> x / 255f32)) (main image)
