-- Butterflies of small radices, for `fft.fut`, and the passes that consist of them.
--
-- A pass of radix f transforms along one axis of `[b][m][f][s]`, `m` outputs being done before it:
--
--   reads    x[r, p, k, q], times e^(-2 pi i p k / (f m))
--   writes   y[r, k, p, q]                                    so that `m` is f times as large
--
-- All writes and all reads but those of the last pass are of neighbouring elements: the transpose of
-- Stockham's autosort [Cochran 1967; Temperton 1983]. A block is two passes of rows that fit a workgroup.

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
  val num_bits : i32
}

-- | Complex numbers as pairs, butterflies and passes.
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
    let past i = i64.bool (8 * k >= i * n)
    let quarter = past 1 + past 3 + past 5 + past 7
    let rest = R.from_fraction (4 * k - quarter * n) (2 * n)
    let (c, s) = R.((cospi rest, sinpi rest))
    let (c, s) = if quarter % 2 == 1 then (R.neg s, c) else (c, s)
    in if quarter == 2 || quarter == 3 then (R.neg c, s) else (c, R.neg s)

  -- `x` times `root k n` for constants.
  def rotated (k: i64) (n: i64) (x: complex) : complex =
    let half = real 0.7071067811865476
    in if k == 0
       then x
       else if 4 * k == n
       then turn x
       else if 8 * k == n
       then scale half (add x (turn x))
       else if 8 * k == 3 * n
       then scale half (sub (turn x) x)
       else mul x (root k n)

  -- Roots of unity for lengths that divide `length`: from `first` on, those of the first 256 elements, then
  -- of every 256th. Their products are the others.
  type roots [h] = {length: i64, first: i64, table: [h]complex}

  -- Of up to three axes in one table; unused ones have length 0.
  type lengths = (i64, i64, i64)
  def of_length (n: i64) : i64 = if n == 0 then 0 else 256 + n / 256 + 1

  def roots_of ((n0, n1, n2): lengths) : ?[h].[h]complex =
    let (end0, end1) = (of_length n0, of_length n0 + of_length n1)
    let exponent i n = if i < 256 then i % i64.max 1 n else i64.min (256 * (i - 256)) (n - 1)
    let element t =
      let (i, n) = if t < end0 then (t, n0) else if t < end1 then (t - end0, n1) else (t - end1, n2)
      in root (exponent i n) n
    in tabulate (end1 + of_length n2) element

  -- Those of axis `i`.
  def roots_along [h] ((n0, n1, n2): lengths) (i: i64) (table: [h]complex) : roots [h] =
    if i == 0
    then {length = n0, first = 0, table}
    else if i == 1
    then {length = n1, first = of_length n0, table}
    else {length = n2, first = of_length n0 + of_length n1, table}

  -- The masks say that sums are small.
  def root_of [h] (w: roots [h]) (k: i64) : complex =
    let first = w.first & 0xffffffffff
    let (i, j) = (first + 256 + ((k / 256) & 0xffffffffff), first + (k & 255))
    in if i < h && j < h then mul w.table[i] w.table[j] else zero

  -- The power of `w` with the constant exponent 1 <= k < 32, from `w` and its powers 4 and 16.
  def power (w: complex) (w4: complex) (w16: complex) (k: i64) : complex =
    let w2 = mul w w
    let w8 = mul w4 w4
    let low k = if k == 1 then w else if k == 2 then w2 else mul w w2
    let high k = if k == 1 then w4 else if k == 2 then w8 else mul w4 w8
    let below k = if k < 4 then low k else if k % 4 == 0 then high (k / 4) else mul (high (k / 4)) (low (k % 4))
    in if k < 16 then below k else if k == 16 then w16 else mul w16 (below (k - 16))

  def dft2 (x: i64 -> complex) : [2]complex = [add (x 0) (x 1), sub (x 0) (x 1)]

  def dft3 (x: i64 -> complex) : [3]complex =
    let s = add (x 1) (x 2)
    let d = turn (scale (real 0.8660254037844386) (sub (x 1) (x 2)))
    let m = sub (x 0) (scale (real 0.5) s)
    in [add (x 0) s, add m d, sub m d]

  def dft4 (x: i64 -> complex) : [4]complex =
    let a = dft2 (\k -> x (2 * k))
    let b = dft2 (\k -> x (2 * k + 1))
    let c = turn b[1]
    in [add a[0] b[0], add a[1] c, sub a[0] b[0], sub a[1] c]

  def dft5 (x: i64 -> complex) : [5]complex =
    let (s1, d1) = (add (x 1) (x 4), sub (x 1) (x 4))
    let (s2, d2) = (add (x 2) (x 3), sub (x 2) (x 3))
    let c1 = real 0.30901699437494745
    let c2 = real (-0.8090169943749475)
    let k1 = real 0.9510565162951535
    let k2 = real 0.5877852522924731
    let m1 = add (x 0) (add (scale c1 s1) (scale c2 s2))
    let m2 = add (x 0) (add (scale c2 s1) (scale c1 s2))
    let n1 = turn (add (scale k1 d1) (scale k2 d2))
    let n2 = turn (sub (scale k2 d1) (scale k1 d2))
    in [add (x 0) (add s1 s2), add m1 n1, add m2 n2, sub m2 n2, sub m1 n1]

  def dft7 (x: i64 -> complex) : [7]complex =
    let (s1, d1) = (add (x 1) (x 6), sub (x 1) (x 6))
    let (s2, d2) = (add (x 2) (x 5), sub (x 2) (x 5))
    let (s3, d3) = (add (x 3) (x 4), sub (x 3) (x 4))
    let c1 = real 0.6234898018587336
    let c2 = real (-0.22252093395631434)
    let c3 = real (-0.900968867902419)
    let k1 = real 0.7818314824680298
    let k2 = real 0.9749279121818236
    let k3 = real 0.43388373911755823
    let m1 = add (x 0) (add (scale c1 s1) (add (scale c2 s2) (scale c3 s3)))
    let m2 = add (x 0) (add (scale c2 s1) (add (scale c3 s2) (scale c1 s3)))
    let m3 = add (x 0) (add (scale c3 s1) (add (scale c1 s2) (scale c2 s3)))
    let n1 = turn (add (scale k1 d1) (add (scale k2 d2) (scale k3 d3)))
    let n2 = turn (sub (scale k2 d1) (add (scale k3 d2) (scale k1 d3)))
    let n3 = turn (add (sub (scale k3 d1) (scale k1 d2)) (scale k2 d3))
    in [add (x 0) (add s1 (add s2 s3)), add m1 n1, add m2 n2, add m3 n3, sub m3 n3, sub m2 n2, sub m1 n1]

  def dft8 (x: i64 -> complex) : [8]complex =
    let a = dft4 (\k -> x (2 * k))
    let b = dft4 (\k -> x (2 * k + 1))
    let b k = rotated k 8 b[k]
    let (b0, b1, b2, b3) = (b 0, b 1, b 2, b 3)
    in [add a[0] b0, add a[1] b1, add a[2] b2, add a[3] b3, sub a[0] b0, sub a[1] b1, sub a[2] b2, sub a[3] b3]

  def dft10 (x: i64 -> complex) : [10]complex =
    let a = dft5 (\k -> x (2 * k))
    let b = dft5 (\k -> x (2 * k + 1))
    let b k = rotated k 10 b[k]
    let (b0, b1, b2, b3, b4) = (b 0, b 1, b 2, b 3, b 4)
    in [ add a[0] b0
       , add a[1] b1
       , add a[2] b2
       , add a[3] b3
       , add a[4] b4
       , sub a[0] b0
       , sub a[1] b1
       , sub a[2] b2
       , sub a[3] b3
       , sub a[4] b4
       ]

  def dft16 (x: i64 -> complex) : [16]complex =
    let first j = dft4 (\k -> x (4 * k + j))
    let (a, b, c, d) = (first 0, first 1, first 2, first 3)
    let second k =
      let (b, c, d) = (rotated k 16 b[k], rotated (2 * k) 16 c[k], rotated (3 * k) 16 d[k])
      in dft4 (\j -> if j == 0 then a[k] else if j == 1 then b else if j == 2 then c else d)
    let (e, f, g, h) = (second 0, second 1, second 2, second 3)
    in [ e[0]
       , f[0]
       , g[0]
       , h[0]
       , e[1]
       , f[1]
       , g[1]
       , h[1]
       , e[2]
       , f[2]
       , g[2]
       , h[2]
       , e[3]
       , f[3]
       , g[3]
       , h[3]
       ]

  def dft32 (x: i64 -> complex) : [32]complex =
    let first j = dft8 (\k -> x (4 * k + j))
    let (a, b, c, d) = (first 0, first 1, first 2, first 3)
    let second k =
      let (b, c, d) = (rotated k 32 b[k], rotated (2 * k) 32 c[k], rotated (3 * k) 32 d[k])
      in dft4 (\j -> if j == 0 then a[k] else if j == 1 then b else if j == 2 then c else d)
    let (e, f, g, h) = (second 0, second 1, second 2, second 3)
    let (i, j, k, l) = (second 4, second 5, second 6, second 7)
    in [ e[0]
       , f[0]
       , g[0]
       , h[0]
       , i[0]
       , j[0]
       , k[0]
       , l[0]
       , e[1]
       , f[1]
       , g[1]
       , h[1]
       , i[1]
       , j[1]
       , k[1]
       , l[1]
       , e[2]
       , f[2]
       , g[2]
       , h[2]
       , i[2]
       , j[2]
       , k[2]
       , l[2]
       , e[3]
       , f[3]
       , g[3]
       , h[3]
       , i[3]
       , j[3]
       , k[3]
       , l[3]
       ]

  -- How far apart the roots of length `n` lie in the table; all cells share it.
  def step_of [h] (w: roots [h]) (n: i64) : i64 = w.length / i64.max 1 n

  -- The butterfly `dft` of inputs `x k` times the root of unity (p k) / n, of which `step` is that of n.
  def butterfly [h] [f]
                (dft: (i64 -> complex) -> [f]complex)
                (w: roots [h])
                (p: i64)
                (step: i64)
                (x: i64 -> complex) : [f]complex =
    let w1 = root_of w (p * step)
    let w4 = root_of w (4 * p * step)
    let w16 = root_of w (16 * p * step)
    in dft (\k -> if k == 0 then x 0 else mul (x k) (power w1 w4 w16 k))

  -- [b][m][f][s] -> [b][f][m][s]
  def pass [k] [e] [f]
           (dft: (i64 -> complex) -> [f]complex)
           (w: roots [e])
           (b: i64)
           (m: i64)
           (xs: [k]complex) : [k]complex =
    let s = k / i64.max 1 (b * m * f)
    let x = unflatten_4d (xs :> [b * m * f * s]complex)
    let step = step_of w (f * m)
    let yss = tabulate_3d b m s (\r p q -> butterfly dft w p step (\i -> x[r, p, i, q]))
    in flatten_4d (map (\ys -> transpose (map transpose ys)) yss) :> [k]complex

  -- Two passes in a workgroup: [b][m][f h][s] -> [b][f h][m][s]. A cell has `g` neighbouring columns of
  -- f h elements; `g` divides s.
  def columns [k] [e] [f] [h]
              (g: i64)
              (first: (i64 -> complex) -> [f]complex)
              (second: (i64 -> complex) -> [h]complex)
              (w: roots [e])
              (b: i64)
              (m: i64)
              (xs: [k]complex) : [k]complex =
    let t = k / i64.max 1 (b * m * f * h * g)
    let x = unflatten_4d (unflatten_3d (xs :> [b * m * f * h * t * g]complex))
    let (step, last) = (step_of w (f * m), step_of w (f * h * m))
    let cell r p q =
      let y = tabulate_2d h g (\k l -> butterfly first w p step (\i -> x[r, p, i, k, q, l]))
      in tabulate_2d f g (\j l -> butterfly second w (p + m * j) last (\k -> y[k, l, j]))
    let zs = #[flattening(only_intra)] tabulate_3d b m t cell
    -- [m][t][f][g][h] -> [h][f][m][t][g]
    let in_place z =
      let z = transpose (map transpose (map (map transpose) (map (map (map transpose)) z)))
      in map (\z -> transpose (map transpose z)) z
    in flatten_3d (flatten_4d (map in_place zs)) :> [k]complex

  -- The same where s is 1: the columns are neighbours along m, which `g` divides.
  def runs [k] [e] [f] [h]
           (g: i64)
           (first: (i64 -> complex) -> [f]complex)
           (second: (i64 -> complex) -> [h]complex)
           (w: roots [e])
           (b: i64)
           (m: i64)
           (xs: [k]complex) : [k]complex =
    let t = m / g
    let x = unflatten_3d (unflatten_3d (xs :> [b * t * g * f * h]complex))
    let (step, last) = (step_of w (f * m), step_of w (f * h * m))
    let cell r q =
      let y = tabulate_2d g h (\l k -> butterfly first w (q * g + l) step (\i -> x[r, q, l, i, k]))
      in tabulate_2d f g (\j l -> butterfly second w (q * g + l + m * j) last (\k -> y[l, k, j]))
    let zs = #[flattening(only_intra)] tabulate_2d b t cell
    -- [t][f][g][h] -> [h][f][t][g]
    let in_place z = map transpose (transpose (map transpose (map (map transpose) z)))
    in flatten_3d (flatten_3d (map in_place zs)) :> [k]complex

  -- The same where m is 1 as well: whole rows, `g` of them in a cell. The table is of their length.
  def whole [k] [e] [f] [h]
            (g: i64)
            (first: (i64 -> complex) -> [f]complex)
            (second: (i64 -> complex) -> [h]complex)
            (w: roots [e])
            (b: i64)
            (xs: [k]complex) : [k]complex =
    let t = b / g
    let x = unflatten_4d (xs :> [t * g * f * h]complex)
    let cell r =
      let y = tabulate_2d g h (\l k -> first (\i -> x[r, l, i, k]))
      in tabulate_2d g f (\l j -> butterfly second w j 1 (\k -> y[l, k, j]))
    let zs = #[flattening(only_intra)] tabulate t cell
    in flatten_4d (map (map transpose) zs) :> [k]complex
}
