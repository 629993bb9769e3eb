-- What --fp=fast may round otherwise: quotients, roots, products in sums. ctest runs this in that
-- mode as well.
-- tolerance: 1e-5

-- ==
-- entry: norms
-- input { [3f32, 1f32, 0.25f32] [4f32, 1f32, 0.5f32] }
-- output { [5f32, 1.4142135f32, 0.559017f32] [0.6f32, 0.70710677f32, 0.4472136f32] }
entry norms (xs: []f32) (ys: []f32) =
  unzip (map2 (\x y -> let r = f32.sqrt (x * x + y * y) in (r, x / r)) xs ys)

-- ==
-- entry: forces
-- input { [1f32, 2f32, 4f32, 8f32, 16f32] 0.5f32 }
entry forces (xs: []f32) (eps: f32) =
  map (\x ->
         loop sum = 0f32
         for i < length xs do
           let d = xs[i] - x
           let inverse = 1 / f32.sqrt (d * d + eps)
           in sum + d * inverse * inverse * inverse)
      xs
