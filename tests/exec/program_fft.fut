-- Fourier transform over a module of complex numbers with its own operators.
-- ==
-- input { [1f32, 2f32, 3f32, 4f32, 0f32, 0f32, 0f32, 0f32] }
-- output { [10.0f32, -0.41421378f32, -1.9999999f32, 2.4142137f32, -2.0f32, 2.4142137f32, -2.0f32, -0.4142133f32] [0.0f32, -7.2426405f32, 2.0f32, -1.2426405f32, 0.0f32, 1.2426405f32, -2.0f32, 7.2426405f32] }
module complex = {
  type t = (f32, f32)
  def mk (a: f32) (b: f32) : t = (a, b)
  def (+) ((a, b): t) ((c, d): t) : t = f32.((a + c, b + d))
  def (-) ((a, b): t) ((c, d): t) : t = f32.((a - c, b - d))
  def (*) ((a, b): t) ((c, d): t) : t = f32.((a * c - b * d, a * d + b * c))
  def from_polar (r: f32) (a: f32) : t = f32.((r * cos a, r * sin a))
}

def fft_step [n] (data: [n]complex.t) (ns: i64) : [n]complex.t =
  let radix = 2i64
  let one (j: i64) =
    let angle = -2 * f32.pi * f32.i64 (j % ns) / f32.i64 (ns * radix)
    let v0 = data[j]
    let v1o = data[j + n / 2]
    let v1 = complex.(v1o * from_polar 1 angle)
    let idx = (j / ns) * ns * radix + j % ns
    in ((idx, complex.(v0 + v1)), (idx + ns, complex.(v0 - v1)))
  let (a, b) = unzip (map one (iota (n / 2)))
  let (is, vs) = unzip (a ++ b)
  in scatter (replicate n (complex.mk 0 0)) is vs

entry main [n] (xs: [n]f32) =
  let (r, _) = loop (data, ns) = (map (\x -> complex.mk x 0) xs, 1) while ns < n do (fft_step data ns, ns * 2)
  in unzip r
