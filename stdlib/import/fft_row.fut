-- Transforms of one row, for `fft.fut`: numbers without a prime factor above 7 in passes of radix 2 to 8,
-- Stockham's autosort [Cochran 1967] with the radices of [Temperton 1983].
--
--   pass of radix R, `ns` outputs done:   i, j = i % ns
--   reads    [r][i]  at  r * (n / R) + i             R inputs of butterfly i, times roots of unity
--   writes   output k  at  (i - j) * R + j + k * ns
--
-- Roots of unity come from sine and cosine of exactly reduced angles, or from a product of two of them.

-- | The operations on reals that the transforms need; `f32` and `f64` have them.
module type fft_real = {
  type t
  val i64 : i64 -> t
  val f64 : f64 -> t
  val from_fraction : i64 -> i64 -> t
  val (+) : t -> t -> t
  val (-) : t -> t -> t
  val (*) : t -> t -> t
  val neg : t -> t
  val cospi : t -> t
  val sinpi : t -> t
}

-- | Complex numbers as pairs, and the transform of a row.
module mk_fft_row (R: fft_real) = {
  type t = R.t
  type complex = (t, t)

  def zero : complex = R.((i64 0, i64 0))
  def add ((a, b): complex) ((c, d): complex) : complex = R.((a + c, b + d))
  def sub ((a, b): complex) ((c, d): complex) : complex = R.((a - c, b - d))
  def mul ((a, b): complex) ((c, d): complex) : complex = R.((a * c - b * d, a * d + b * c))
  def scale (k: t) ((a, b): complex) : complex = R.((k * a, k * b))
  def conj ((a, b): complex) : complex = (a, R.neg b)
  def swap ((a, b): complex) : complex = (b, a)

  -- Times -i.
  def turn ((a, b): complex) : complex = (b, R.neg a)
  def real (x: f64) : t = R.f64 x

  -- e^(-2 pi i k / n) for 0 <= k < n: the angle is a number of quarters and at most an eighth.
  def root (k: i64) (n: i64) : complex =
    let n = i64.max 1 n
    let quarter = (8 * k + n) / (2 * n)
    let rest = R.from_fraction (4 * k - quarter * n) (2 * n)
    let (c, s) = R.((cospi rest, sinpi rest))
    let (c, s) = if quarter % 2 == 1 then (R.neg s, c) else (c, s)
    in if quarter == 2 || quarter == 3 then (R.neg c, s) else (c, R.neg s)

  def dft2 a b : (complex, complex) = (add a b, sub a b)

  def dft4 a b c d : (complex, complex, complex, complex) =
    let (e, g) = dft2 a c
    let (f, h) = dft2 b d
    let h = turn h
    in (add e f, add g h, sub e f, sub g h)

  def dft3 a b c : (complex, complex, complex) =
    let s = add b c
    let d = turn (scale (real 0.8660254037844386) (sub b c))
    let m = sub a (scale (real 0.5) s)
    in (add a s, add m d, sub m d)

  def dft5 a b c d e : (complex, complex, complex, complex, complex) =
    let (s1, d1) = dft2 b e
    let (s2, d2) = dft2 c d
    let c1 = real 0.30901699437494745
    let c2 = real (-0.8090169943749475)
    let k1 = real 0.9510565162951535
    let k2 = real 0.5877852522924731
    let m1 = add a (add (scale c1 s1) (scale c2 s2))
    let m2 = add a (add (scale c2 s1) (scale c1 s2))
    let n1 = turn (add (scale k1 d1) (scale k2 d2))
    let n2 = turn (sub (scale k2 d1) (scale k1 d2))
    in (add a (add s1 s2), add m1 n1, add m2 n2, sub m2 n2, sub m1 n1)

  def dft7 a b c d e f g : (complex, complex, complex, complex, complex, complex, complex) =
    let (s1, d1) = dft2 b g
    let (s2, d2) = dft2 c f
    let (s3, d3) = dft2 d e
    let c1 = real 0.6234898018587336
    let c2 = real (-0.22252093395631434)
    let c3 = real (-0.900968867902419)
    let k1 = real 0.7818314824680298
    let k2 = real 0.9749279121818236
    let k3 = real 0.43388373911755823
    let m1 = add a (add (scale c1 s1) (add (scale c2 s2) (scale c3 s3)))
    let m2 = add a (add (scale c2 s1) (add (scale c3 s2) (scale c1 s3)))
    let m3 = add a (add (scale c3 s1) (add (scale c1 s2) (scale c2 s3)))
    let n1 = turn (add (scale k1 d1) (add (scale k2 d2) (scale k3 d3)))
    let n2 = turn (sub (scale k2 d1) (add (scale k3 d2) (scale k1 d3)))
    let n3 = turn (add (sub (scale k3 d1) (scale k1 d2)) (scale k2 d3))
    in (add a (add s1 (add s2 s3)), add m1 n1, add m2 n2, add m3 n3, sub m3 n3, sub m2 n2, sub m1 n1)

  def dft8 a b c d e f g h : (complex, complex, complex, complex, complex, complex, complex, complex) =
    let (p0, p1, p2, p3) = dft4 a c e g
    let (q0, q1, q2, q3) = dft4 b d f h
    let k = real 0.7071067811865476
    let q1 = scale k (add q1 (turn q1))
    let q2 = turn q2
    let q3 = scale k (sub (turn q3) q3)
    in (add p0 q0, add p1 q1, add p2 q2, add p3 q3, sub p0 q0, sub p1 q1, sub p2 q2, sub p3 q3)

  -- Input `r` of butterfly `i` is `[r, i]`.
  def taken [n] (radix: i64) (m: i64) (xs: [n]complex) : [radix][m]complex = unflatten (xs :> [radix * m]complex)

  -- The place of output `k` of butterfly `i`; `j` is `i % ns`.
  def place (radix: i64) (ns: i64) (i: i64) (j: i64) (k: i64) : i64 = (i - j) * radix + j + k * ns

  -- The places of output `k` of all butterflies, `ns` being a power of two, and without that.
  def even (radix: i64) (ns: i64) (m: i64) (k: i64) : [m]i64 = tabulate m (\i -> place radix ns i (i & (ns - 1)) k)
  def odd (radix: i64) (ns: i64) (m: i64) (k: i64) : [m]i64 = tabulate m (\i -> place radix ns i (i % ns) k)

  -- A pass reads `xs` and gives `ys` with its outputs: the writes of a butterfly are one scatter with it.
  def pass2 [n] (ns: i64) (w: [n]complex) (xs: [n]complex) (ys: *[n]complex) : *[n]complex =
    let m = n / 2
    let step = m / ns
    let x = taken 2 m xs
    let cell i =
      let j = i & (ns - 1)
      let w1 = w[j * step]
      in dft2 x[0, i] (mul x[1, i] w1)
    let (v0, v1) = unzip2 (tabulate m cell)
    let at = even 2 ns m
    in scatter ys (at 0 ++ at 1) (v0 ++ v1)

  def pass3 [n] (ns: i64) (w: [n]complex) (xs: [n]complex) (ys: *[n]complex) : *[n]complex =
    let m = n / 3
    let step = m / ns
    let x = taken 3 m xs
    let cell i =
      let j = i % ns
      let w1 = w[j * step]
      let w2 = mul w1 w1
      in dft3 x[0, i] (mul x[1, i] w1) (mul x[2, i] w2)
    let (v0, v1, v2) = unzip3 (tabulate m cell)
    let at = odd 3 ns m
    in scatter ys (at 0 ++ at 1 ++ at 2) (v0 ++ v1 ++ v2)

  def pass4 [n] (ns: i64) (w: [n]complex) (xs: [n]complex) (ys: *[n]complex) : *[n]complex =
    let m = n / 4
    let step = m / ns
    let x = taken 4 m xs
    let cell i =
      let j = i & (ns - 1)
      let w1 = w[j * step]
      let w2 = w[j * step * 2]
      let w3 = mul w1 w2
      in dft4 x[0, i] (mul x[1, i] w1) (mul x[2, i] w2) (mul x[3, i] w3)
    let (v0, v1, v2, v3) = unzip4 (tabulate m cell)
    let at = even 4 ns m
    in scatter ys (at 0 ++ at 1 ++ at 2 ++ at 3) (v0 ++ v1 ++ v2 ++ v3)

  def pass5 [n] (ns: i64) (w: [n]complex) (xs: [n]complex) (ys: *[n]complex) : *[n]complex =
    let m = n / 5
    let step = m / ns
    let x = taken 5 m xs
    let cell i =
      let j = i % ns
      let w1 = w[j * step]
      let w2 = w[j * step * 2]
      let w3 = mul w1 w2
      let w4 = mul w2 w2
      in dft5 x[0, i] (mul x[1, i] w1) (mul x[2, i] w2) (mul x[3, i] w3) (mul x[4, i] w4)
    let (v0, v1, v2, v3, v4) = unzip5 (tabulate m cell)
    let at = odd 5 ns m
    in scatter ys (at 0 ++ at 1 ++ at 2 ++ at 3 ++ at 4) (v0 ++ v1 ++ v2 ++ v3 ++ v4)

  def pass7 [n] (ns: i64) (w: [n]complex) (xs: [n]complex) (ys: *[n]complex) : *[n]complex =
    let m = n / 7
    let step = m / ns
    let x = taken 7 m xs
    let cell i =
      let j = i % ns
      let w1 = w[j * step]
      let w2 = w[j * step * 2]
      let w3 = w[j * step * 3]
      let w4 = mul w2 w2
      let w5 = mul w2 w3
      let w6 = mul w3 w3
      let (v0, v1, v2, v3, v4, v5, v6) = dft7 x[0, i] (mul x[1, i] w1) (mul x[2, i] w2) (mul x[3, i] w3) (mul x[4, i] w4) (mul x[5, i] w5) (mul x[6, i] w6)
      in ((v0, v1, v2, v3), (v4, v5, v6))
    let (a, b) = unzip (tabulate m cell)
    let (v0, v1, v2, v3) = unzip4 a
    let (v4, v5, v6) = unzip3 b
    let at = odd 7 ns m
    in scatter ys (at 0 ++ at 1 ++ at 2 ++ at 3 ++ at 4 ++ at 5 ++ at 6) (v0 ++ v1 ++ v2 ++ v3 ++ v4 ++ v5 ++ v6)

  def pass8 [n] (ns: i64) (w: [n]complex) (xs: [n]complex) (ys: *[n]complex) : *[n]complex =
    let m = n / 8
    let step = m / ns
    let x = taken 8 m xs
    let cell i =
      let j = i & (ns - 1)
      let w1 = w[j * step]
      let w2 = w[j * step * 2]
      let w4 = w[j * step * 4]
      let w3 = mul w1 w2
      let w5 = mul w1 w4
      let w6 = mul w2 w4
      let w7 = mul w3 w4
      let (v0, v1, v2, v3, v4, v5, v6, v7) = dft8 x[0, i] (mul x[1, i] w1) (mul x[2, i] w2) (mul x[3, i] w3) (mul x[4, i] w4) (mul x[5, i] w5) (mul x[6, i] w6) (mul x[7, i] w7)
      in ((v0, v1, v2, v3), (v4, v5, v6, v7))
    let (a, b) = unzip (tabulate m cell)
    let (v0, v1, v2, v3) = unzip4 a
    let (v4, v5, v6, v7) = unzip4 b
    let at = even 8 ns m
    in scatter ys (at 0 ++ at 1 ++ at 2 ++ at 3 ++ at 4 ++ at 5 ++ at 6 ++ at 7) (v0 ++ v1 ++ v2 ++ v3 ++ v4 ++ v5 ++ v6 ++ v7)

  -- The most elements of a row that a workgroup has room for.
  def longest : i64 = 1024

  -- The transform of a row that has no prime factor above 7; `w[k]` is `root k n`. Two arrays by turns.
  def row [n] (w: [n]complex) (xs: [n]complex) : *[n]complex =
    (loop (xs, ys, ns) = (copy xs, copy xs, 1)
     while ns < n do
       let rest = n / ns
       let (zs, radix) =
         if rest % 8 == 0
         then (pass8 ns w xs ys, 8)
         else if rest % 4 == 0
         then (pass4 ns w xs ys, 4)
         else if rest % 2 == 0
         then (pass2 ns w xs ys, 2)
         else if rest % 3 == 0
         then (pass3 ns w xs ys, 3)
         else if rest % 5 == 0 then (pass5 ns w xs ys, 5) else (pass7 ns w xs ys, 7)
       in (zs, xs, radix * ns)).0
}
