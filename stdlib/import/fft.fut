-- Discrete Fourier transforms of any length, batched, in one to three dimensions: `import "/prelude/fft"`.
-- A complex number is a pair of its real and its imaginary part.
--
-- Lengths with no prime factor above 7: up to 1024 elements are one row (fft_row.fut). Longer ones are two
-- to four rounds of rows with roots of unity between, so that each row fits a workgroup or a cache: the
-- four-step method [Bailey 1990]. All other lengths: convolution with a chirp [Bluestein 1970].
local import "/prelude/fft_row"

-- | Fourier transforms. Of a complex `xs`, element `k` of the result is the sum of
-- `xs[j] e^(-2 pi i j k / n)`; inverse transforms have the other sign and divide by the number of elements.
module type fft = {
  type t
  val fft [n] : [n](t, t) -> [n](t, t)
  val ifft [n] : [n](t, t) -> [n](t, t)
  val rfft [n] : [n]t -> [n / 2 + 1](t, t)
  val irfft : (n: i64) -> [n / 2 + 1](t, t) -> [n]t
  val fft_rows [b] [n] : [b][n](t, t) -> [b][n](t, t)
  val ifft_rows [b] [n] : [b][n](t, t) -> [b][n](t, t)
  val rfft_rows [b] [n] : [b][n]t -> [b][n / 2 + 1](t, t)
  val irfft_rows [b] : (n: i64) -> [b][n / 2 + 1](t, t) -> [b][n]t
  val fft_2d [n] [m] : [n][m](t, t) -> [n][m](t, t)
  val ifft_2d [n] [m] : [n][m](t, t) -> [n][m](t, t)
  val fft_3d [n] [m] [k] : [n][m][k](t, t) -> [n][m][k](t, t)
  val ifft_3d [n] [m] [k] : [n][m][k](t, t) -> [n][m][k](t, t)
}

-- | Fourier transforms over a type of real numbers.
module mk_fft (R: fft_real) : (fft with t = R.t) = {
  open mk_fft_row R

  -- Whether no prime factor is above 7.
  def is_smooth (n: i64) : bool =
    (loop (rest, p) = (n, 2)
     for _i < 70 do
       if p < 8 && rest > 1 && rest % p == 0 then (rest / p, p) else (rest, p + 1)).0
    <= 1

  -- The length of the rows of the next round, for `n` elements that are left: the first divisor from the
  -- root of `n` on, or else the last one before it.
  def factor (n: i64) : i64 =
    let least = i64.f64 (f64.ceil (f64.sqrt (f64.i64 n)))
    in if n <= longest
       then n
       else if i64.popc n == 1
       then i64.min longest (1 << ((64 - i64.i32 (i64.clz n)) / 2))
       else loop best = 1
            for d < longest do
              if best < least && n % (d + 1) == 0 then d + 1 else best

  -- The lengths of up to four rounds, 1 for those that are not needed. Four are enough for 3 10^9 elements.
  def factors (n: i64) : (i64, i64, i64, i64) =
    loop (f1, f2, f3, rest) = (1, 1, 1, n)
    for i < 3 do
      let f = factor rest
      in ( if i == 0 then f else f1
         , if i == 1 then f else f2
         , if i == 2 then f else f3
         , rest / i64.max 1 f
         )

  -- The rows of a round from `[f][(q p k)]`: `[(q k p)]` of them.
  def turned [b] [f] [m] (p: i64) (k: i64) (xsss: [b][f][m]complex) : [b * m][f]complex =
    let rows = flatten (map transpose xsss)
    in if p == 1
       then rows
       else let q = b * m / i64.max 1 (p * k)
            in flatten_3d (map transpose (unflatten_3d (rows :> [q * p * k][f]complex))) :> [b * m][f]complex

  -- Rows with no prime factor above 7. `xss` is `[b][q][p][k]` before each round, `q` being what is not
  -- transformed yet; a round takes the leading part `f` of `q` and transforms along it:
  --
  --   [b][f q][p][k]  ->  rows [b][q][k][p][f]  ->  [b][q][(k p)][f]
  def smooth [b] [n] (xss: [b][n]complex) : [b][n]complex =
    let (f1, f2, f3, f4) = factors n
    let rounds = if f1 == n then 1 else if f3 == 1 then 2 else if f4 == 1 then 3 else 4
    let nth i = i64.min longest (if i == 0 then f1 else if i == 1 then f2 else if i == 2 then f3 else f4)
    let width = i64.max 1 (i64.max (i64.max f1 f2) (i64.max f3 f4))
    let tables = tabulate_2d rounds width (\i k -> let f = i64.max 1 (nth i) in root (k % f) f)
    let (xss, p, k) =
      loop (xss, p, k) = (xss, 1, 1)
      for i < rounds do
        let f = nth i
        let q = if rounds == 1 then 1 else n / (f * p * k)
        let rows = b * (q * k * p)
        let cells =
          if rounds == 1
          then xss :> [rows][f]complex
          else turned p k (unflatten_3d (flatten xss :> [b * f * (q * p * k)]complex)) :> [rows][f]complex
        let w = tables[i, :f] :> [f]complex
        let before = i64.max 1 (p * k)
        let cell c xs =
          let j = c % before
          in row w (if i == 0 then xs else map2 (\r x -> mul x (root (j * r) (f * before))) (iota f) xs)
        let done = #[flattening(only_intra)] map2 cell (iota rows) cells
        in (unflatten (flatten done :> [b * n]complex), p * k, f)
    in if rounds == 1
       then xss
       else let whole = unflatten_3d (flatten xss :> [b * (p * k)]complex)
            in unflatten (flatten_3d (map transpose whole) :> [b * n]complex)

  -- e^(-pi i j^2 / n)
  def chirp (j: i64) (n: i64) : complex = root (j * j % (2 * n)) (2 * n)

  -- Rows of any length: as they are, or with a chirp, whose convolution takes a second transform. Its
  -- filter is one more row.
  def rows [b] [n] (xss: [b][n]complex) : [b][n]complex =
    let is_plain = is_smooth n
    let m = if is_plain then n else 1 << (64 - i64.i32 (i64.clz (2 * n - 2)))
    let count = if is_plain then b else b + 1
    let padded r j =
      let from_end = i64.min j (m - j)
      in if r < b
         then if j < n then mul xss[r, j] (chirp j n) else zero
         else if from_end < n then conj (chirp from_end n) else zero
    let start =
      if is_plain
      then xss :> [count][m]complex
      else tabulate_2d count m padded
    let filtered [r] (zss: [r][m]complex) = map (map2 (\h z -> conj (mul h z)) zss[r - 1]) zss
    let yss =
      loop yss = start
      for i < (if is_plain then 1 else 2) do
        let zss = smooth yss
        in if i == 0 && !is_plain then filtered zss else zss
    let shrink = R.from_fraction 1 (i64.max 1 m)
    in if is_plain
       then yss :> [b][n]complex
       else tabulate_2d b n (\r k -> scale shrink (mul (conj yss[r, k]) (chirp k n)))

  -- Another sign of the angle is real and imaginary part exchanged, before and behind.
  def inverse_rows [b] [n] (xss: [b][n]complex) : [b][n]complex =
    let shrink = R.from_fraction 1 (i64.max 1 n)
    in map (map (\x -> scale shrink (swap x))) (rows (map (map swap) xss))

  -- Along each of `rank` axes, whose lengths from the last to the first are `length`: rows, then the last
  -- axis in front.
  def axes [n] (rank: i64) (length: i64 -> i64) (xs: [n]complex) : [n]complex =
    loop xs = xs
    for i < rank do
      let m = length i
      let count = n / i64.max 1 m
      in flatten (transpose (rows (unflatten (xs :> [count * m]complex)))) :> [n]complex

  def inverse_axes [n] (rank: i64) (length: i64 -> i64) (xs: [n]complex) : [n]complex =
    let shrink = R.from_fraction 1 (i64.max 1 n)
    in map (\x -> scale shrink (swap x)) (axes rank length (map swap xs))

  -- | The transform of each row.
  def fft_rows [b] [n] (xss: [b][n]complex) : [b][n]complex = rows xss

  -- | The inverse transform of each row.
  def ifft_rows [b] [n] (xss: [b][n]complex) : [b][n]complex = inverse_rows xss

  -- | The transform of each row of reals: its first half, of which the rest is the mirror image.
  def rfft_rows [b] [n] (xss: [b][n]t) : [b][n / 2 + 1]complex =
    let is_even = n % 2 == 0
    let h = if is_even then n / 2 else n
    -- Two neighbours as one complex number: half the work.
    let pairs r j = if is_even then (xss[r, 2 * j], xss[r, 2 * j + 1]) else (xss[r, j], R.i64 0)
    let zss = rows (tabulate_2d b h pairs)
    let joined r k =
      let z = zss[r, k % h]
      let y = conj zss[r, (h - k) % h]
      let odd = mul (root k n) (turn (sub z y))
      in scale (real 0.5) (add (add z y) odd)
    let element r k = if is_even then (if h == 0 then zero else joined r k) else zss[r, k]
    in tabulate_2d b (n / 2 + 1) element

  -- | Rows of `n` reals from the first halves of their transforms.
  def irfft_rows [b] (n: i64) (yss: [b][n / 2 + 1]complex) : [b][n]t =
    let is_even = n % 2 == 0
    let h = if is_even then n / 2 else n
    -- The first one and the middle one are real.
    let bin r k = if k == 0 || 2 * k == n then (yss[r, k].0, R.i64 0) else yss[r, k]
    let pairs r k =
      if is_even
      then let y = bin r k
           let z = conj (bin r (h - k))
           let odd = mul (conj (root k n)) (sub y z)
           in scale (real 0.5) (sub (add y z) (turn odd))
      else if k <= n / 2 then bin r k else conj (bin r (n - k))
    let zss = inverse_rows (tabulate_2d b h pairs)
    let element r j = if is_even then (if j % 2 == 0 then zss[r, j / 2].0 else zss[r, j / 2].1) else zss[r, j].0
    in tabulate_2d b n element

  -- | The transform.
  def fft [n] (xs: [n]complex) : [n]complex = flatten (rows (unflatten (xs :> [1 * n]complex))) :> [n]complex

  -- | The inverse transform.
  def ifft [n] (xs: [n]complex) : [n]complex = flatten (inverse_rows (unflatten (xs :> [1 * n]complex))) :> [n]complex

  -- | The transform of reals: its first half, of which the rest is the mirror image.
  def rfft [n] (xs: [n]t) : [n / 2 + 1]complex = flatten (rfft_rows (unflatten (xs :> [1 * n]t))) :> [n / 2 + 1]complex

  -- | `n` reals from the first half of their transform.
  def irfft (n: i64) (ys: [n / 2 + 1]complex) : [n]t = flatten (irfft_rows n (unflatten (ys :> [1 * (n / 2 + 1)]complex))) :> [n]t

  -- | The transform along both axes.
  def fft_2d [n] [m] (xss: [n][m]complex) : [n][m]complex =
    unflatten (axes 2 (\i -> if i == 0 then m else n) (flatten xss))

  -- | The inverse of `fft_2d`.
  def ifft_2d [n] [m] (xss: [n][m]complex) : [n][m]complex =
    unflatten (inverse_axes 2 (\i -> if i == 0 then m else n) (flatten xss))

  -- | The transform along all three axes.
  def fft_3d [n] [m] [k] (xsss: [n][m][k]complex) : [n][m][k]complex =
    unflatten_3d (axes 3 (\i -> if i == 0 then k else if i == 1 then m else n) (flatten_3d xsss))

  -- | The inverse of `fft_3d`.
  def ifft_3d [n] [m] [k] (xsss: [n][m][k]complex) : [n][m][k]complex =
    unflatten_3d (inverse_axes 3 (\i -> if i == 0 then k else if i == 1 then m else n) (flatten_3d xsss))
}

-- | Fourier transforms of `f32`.
module fft_f32 = mk_fft f32

-- | Fourier transforms of `f64`.
module fft_f64 = mk_fft f64
