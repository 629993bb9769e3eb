-- Fourier transforms beside sums by their definition: lengths with and without factors above 7, one
-- row and several, rows that need two rounds, both types, all three dimensions.
-- tolerance: 1e-9
import "/prelude/fft"

type complex = (f64, f64)

def naive_at [n] (sign: f64) (xs: [n]complex) (k: i64) : complex =
  let term j (x, y) =
    let angle = sign * 2 * f64.i64 (j * k % n) / f64.i64 n
    let (c, s) = (f64.cospi angle, f64.sinpi angle)
    in (x * c - y * s, x * s + y * c)
  let add (a: f64, b: f64) (c, d) = (a + c, b + d)
  in reduce add (0, 0) (map2 term (iota n) xs)

def naive [n] (sign: f64) (xs: [n]complex) : [n]complex = map (naive_at sign xs) (iota n)

def made (b: i64) (n: i64) : [b][n]complex =
  let number i j = f64.i64 ((i * 7919 + j * 104729 + 13 * j * j) % 1000) / 1000 - 0.5
  in tabulate_2d b n (\i j -> (number i j, number (i + 1) j))

def furthest [b] [n] (xss: [b][n]complex) (yss: [b][n]complex) : f64 =
  let far (a, b) (c, d) = f64.max (f64.abs (a - c)) (f64.abs (b - d))
  in f64.maximum (flatten (map2 (map2 far) xss yss))

def within [b] [n] (bound: f64) (xss: [b][n]complex) (yss: [b][n]complex) : bool =
  furthest xss yss <= bound * f64.i64 (i64.max 1 n)

-- | The f64 transform, at twenty places, and its inverse.
-- ==
-- entry: rows
-- input { 1i64 0i64 } output { true true }
-- input { 0i64 5i64 } output { true true }
-- input { 1i64 1i64 } output { true true }
-- input { 3i64 2i64 } output { true true }
-- input { 5i64 3i64 } output { true true }
-- input { 3i64 5i64 } output { true true }
-- input { 3i64 7i64 } output { true true }
-- input { 1i64 11i64 } output { true true }
-- input { 3i64 13i64 } output { true true }
-- input { 3i64 60i64 } output { true true }
-- input { 7i64 64i64 } output { true true }
-- input { 8i64 128i64 } output { true true }
-- input { 1i64 8192i64 } output { true true }
-- input { 1i64 16384i64 } output { true true }
-- input { 3i64 97i64 } output { true true }
-- input { 1i64 210i64 } output { true true }
-- input { 1i64 1000i64 } output { true true }
-- input { 2i64 1024i64 } output { true true }
-- input { 1i64 1250i64 } output { true true }
entry rows (b: i64) (n: i64) : (bool, bool) =
  let xss = made b n
  let yss = fft_f64.fft_rows xss
  let places = map (\p -> p * n / i64.min n 20) (iota (i64.min n 20))
  let some = map (\ys -> map (\k -> ys[k]) places) yss
  let expected = map (\xs -> map (naive_at (-1) xs) places) xss
  in (furthest some expected <= 1e-15 * f64.i64 n, within 1e-15 xss (fft_f64.ifft_rows yss))

-- | The f32 transform against the one in f64.
-- ==
-- entry: rows_f32
-- input { 3i64 60i64 } output { true }
-- input { 3i64 97i64 } output { true }
-- input { 1i64 1024i64 } output { true }
-- input { 1i64 4096i64 } output { true }
-- input { 1i64 6000i64 } output { true }
entry rows_f32 (b: i64) (n: i64) : bool =
  let narrow = map (map (\(x, y) -> (f32.f64 x, f32.f64 y)))
  let wide = map (map (\(x, y) -> (f64.f32 x, f64.f32 y)))
  let xss = narrow (made b n)
  in within 1e-7 (wide (fft_f32.fft_rows xss)) (fft_f64.fft_rows (wide xss))

-- | Reals: half of the complex transform, and back.
-- ==
-- entry: reals
-- input { 1i64 1i64 } output { true true }
-- input { 3i64 2i64 } output { true true }
-- input { 3i64 7i64 } output { true true }
-- input { 3i64 12i64 } output { true true }
-- input { 1i64 26i64 } output { true true }
-- input { 1i64 2048i64 } output { true true }
entry reals (b: i64) (n: i64) : (bool, bool) =
  let xss = map (map (.0)) (made b n)
  let yss = fft_f64.rfft_rows xss
  let whole = fft_f64.fft_rows (map (map (\x -> (x, 0))) xss)
  let back = fft_f64.irfft_rows n yss
  in ( within 1e-15 yss (whole[:, :n / 2 + 1] :> [b][n / 2 + 1]complex)
     , within 1e-15 (map (map (\x -> (x, 0))) xss) (map (map (\x -> (x, 0))) back)
     )

-- | Nothing in, one zero out.
-- ==
-- entry: no_reals
-- input { } output { [0.0] [0.0] empty([0]f64) }
entry no_reals : ([]f64, []f64, []f64) =
  let (re, im) = unzip (fft_f64.rfft [])
  in (re, im, fft_f64.irfft 0 ([(0, 0)] :> [0 / 2 + 1]complex))

-- | Along two axes and three: rows of each axis by hand.
-- ==
-- entry: axes
-- input { 3i64 4i64 5i64 } output { true true true true }
-- input { 1i64 11i64 6i64 } output { true true true true }
-- input { 0i64 4i64 5i64 } output { true true true true }
entry axes (n: i64) (m: i64) (k: i64) : (bool, bool, bool, bool) =
  let rows [n] [m] (xss: [n][m]complex) = map (naive (-1)) xss
  let plane [n] [m] (xss: [n][m]complex) = transpose (rows (transpose (rows xss)))
  let xss = made m k
  let yss = fft_f64.fft_2d xss
  let cube = unflatten (made (n * m) k)
  let planes = map plane cube
  let along = transpose (map (\xss -> transpose (rows (transpose xss))) (transpose planes))
  let ysss = fft_f64.fft_3d cube
  in ( within 1e-14 yss (plane xss)
     , within 1e-14 xss (fft_f64.ifft_2d yss)
     , within 1e-14 (flatten ysss) (flatten along)
     , within 1e-14 (flatten cube) (flatten (fft_f64.ifft_3d ysss))
     )

-- | Columns that a workgroup transforms in one round: those of the transposed plane.
-- ==
-- entry: columns
-- input { 128i64 16i64 } output { true }
-- input { 256i64 16i64 } output { true }
entry columns (n: i64) (m: i64) : bool =
  let xss = made n m
  in within 1e-14 (fft_f64.fft_2d xss) (transpose (fft_f64.fft_rows (transpose (fft_f64.fft_rows xss))))

-- | Values of numpy 1.24.
-- ==
-- entry: numpy
-- input { }
-- output { [21.0, -3.0, -3.0, -3.0, -3.0, -3.0] [0.0, 5.196152422706632, 1.7320508075688772, 0.0, -1.7320508075688772, -5.196152422706632]
-- [28.0, -3.5, -3.5, -3.5] [0.0, 7.267824888003178, 2.7911568610884143, 0.7988521603655248] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0] }
entry numpy : ([]f64, []f64, []f64, []f64, []f64) =
  let (re, im) = unzip (fft_f64.fft (map (\i -> (f64.i64 i, 0)) (1...6)))
  let ys = fft_f64.rfft (map f64.i64 (1...7))
  let (half_re, half_im) = unzip ys
  in (re, im, half_re, half_im, fft_f64.irfft 7 (ys :> [7 / 2 + 1]complex))

-- | In the cells of a map, and over a type of one's own.
-- ==
-- entry: inside
-- input { 4i64 16i64 } output { true true }
module fft_wide = mk_fft {
  open f64
  def f64 (x: f64) : t = x
}

entry inside (b: i64) (n: i64) : (bool, bool) =
  let xss = made b n
  in ( within 1e-15 (map fft_f64.fft xss) (fft_f64.fft_rows xss)
     , within 1e-15 (fft_wide.fft_rows xss) (fft_f64.fft_rows xss)
     )

-- | As many bins as half of the reals and one more.
-- ==
-- entry: bins
-- input { 8i64 [1.0, 0.0, 0.0, 0.0, 0.0] } output { [0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125] }
-- input { 8i64 [1.0, 0.0, 0.0, 0.0] } error: H7006
-- input { -8i64 [1.0, 0.0, 0.0, 0.0] } error: H7006
entry bins (n: i64) (ys: []f64) : [n]f64 =
  fft_f64.irfft n (map (\y -> (y, 0)) ys :> [n / 2 + 1]complex)
