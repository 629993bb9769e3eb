-- The tones of a signal: its Fourier transform, the frequencies whose amplitude is above a quarter, and the
-- signal without all others. Any number of samples will do.
--
-- run: 1000
-- ==
-- input { 1000i64 } output { [50i64, 120i64] true }
-- input { 997i64 } output { [50i64, 120i64] true }
import "/prelude/fft"

-- | Two tones, 50 and 120 periods long, and noise.
def signal (n: i64) : [n]f64 =
  let tone (k: i64) i = f64.sinpi (2 * f64.i64 (k * i) / f64.i64 n)
  let noise i = f64.i64 (i * 7919 % 199) / 199 - 0.5
  in tabulate n (\i -> tone 50 i + 0.7 * tone 120 i + 0.2 * noise i)

-- | The frequencies, and whether the cleaned signal is near.
entry main (n: i64) : ([]i64, bool) =
  let xs = signal n
  let bins = fft_f64.rfft xs
  let amplitude (re, im) = f64.hypot re im * 2 / f64.i64 n
  let loud = map (\x -> amplitude x > 0.25) bins
  let cleaned = fft_f64.irfft n (map2 (\is_loud x -> if is_loud then x else (0, 0)) loud bins)
  in (filter (\k -> loud[k]) (indices loud), and (map2 (\x y -> f64.abs (x - y) < 0.25) xs cleaned))
