-- Discrete Fourier transforms of any length, batched, in one to three dimensions: `import "/prelude/fft"`.
-- A complex number is a pair of its real and its imaginary part.
--
-- Lengths with no prime factor above 7: passes of small radices (fft_row.fut), two of them in a workgroup
-- where its columns fit. All other lengths: convolution with a chirp [Bluestein 1970].
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

  -- Whether no prime factor is above 7. Constant divisors: what maps of transforms share is found once.
  def is_smooth (n: i64) : bool =
    let without p n = loop n for _i < 63 do if n % p == 0 then n / p else n
    in without 7 (without 5 (without 3 (without 2 n))) <= 1

  -- The next round of transforms of which `rest` factors are left, and its length. Rounds of two passes
  -- in a workgroup first: whole rows, runs of columns, columns.
  def round [k] [e] (w: roots [e]) (b: i64) (m: i64) (rest: i64) (xs: [k]complex) : ([k]complex, i64) =
    let all = k / i64.max 1 (b * m)
    let words = i64.i32 R.num_bits / 32
    -- Columns of 256 lie side by side for 64 bytes: half of them waste half of what memory moves at once.
    let (g, g256, g64, g100, g1024) = (8 / words, 16 / words, 16, 20 / words, 2 / words)
    let (g128, near128) = (16 / words, 32 / words)
    let is_whole f g = m == 1 && all == f && rest == f && b % g == 0
    let is_run f g = all == f && rest == f && m % g == 0
    let has_columns f g = rest % f == 0 && (all / f) % g == 0 && all > f
    -- All of them, or all but those of one more round.
    let is_with_128 = rest == 128 || rest == 128 * 16 || rest == 128 * 64 || rest == 128 * 128
    -- Two more rounds of 64 are better than one of 256 and a pass of 16.
    let has_more = rest % (256 * 64) == 0
    in if is_whole 1024 g1024
       then (whole g1024 dft32 dft32 w b xs, 1024)
       else if is_whole 256 g
       then (whole g dft16 dft16 w b xs, 256)
       else if is_whole 128 g
       then (whole g dft16 dft8 w b xs, 128)
       else if is_run 256 g256
       then (runs g256 dft16 dft16 w b m xs, 256)
       else if is_run 128 g128
       then (runs g128 dft16 dft8 w b m xs, 128)
       else if is_with_128 && has_columns 128 near128
       then (columns near128 dft16 dft8 w b m xs, 128)
       else if is_with_128 && has_columns 128 g128
       then (columns g128 dft16 dft8 w b m xs, 128)
       else if (has_more || rest == 256) && has_columns 256 g256
       then (columns g256 dft16 dft16 w b m xs, 256)
       else if is_whole 64 g64
       then (whole g64 dft8 dft8 w b xs, 64)
       else if is_run 64 g64
       then (runs g64 dft8 dft8 w b m xs, 64)
       else if has_columns 64 g64
       then (columns g64 dft8 dft8 w b m xs, 64)
       else if is_run 100 g100
       then (runs g100 dft10 dft10 w b m xs, 100)
       else if has_columns 100 g100
       then (columns g100 dft10 dft10 w b m xs, 100)
       else if rest % 16 == 0
       then (pass dft16 w b m xs, 16)
       else if rest % 10 == 0
       then (pass dft10 w b m xs, 10)
       else if rest % 8 == 0
       then (pass dft8 w b m xs, 8)
       else if rest % 4 == 0
       then (pass dft4 w b m xs, 4)
       else if rest % 2 == 0
       then (pass dft2 w b m xs, 2)
       else if rest % 3 == 0
       then (pass dft3 w b m xs, 3)
       else if rest % 5 == 0 then (pass dft5 w b m xs, 5) else (pass dft7 w b m xs, 7)

  -- Along the middle axis of `[b][n][..]`, `n` without a prime factor above 7.
  def smooth [k] [e] (w: roots [e]) (b: i64) (n: i64) (xs: [k]complex) : [k]complex =
    (loop (xs, m) = (xs, 1)
     while m < n do
       let (ys, f) = round w b m (n / m) xs
       in (ys, f * m)).0

  -- e^(-pi i j^2 / n)
  def chirp (j: i64) (n: i64) : complex = root (j * j % (2 * n)) (2 * n)

  -- What an axis of length `n` is transformed as. By the bounds it is a few times `n`, so that the table
  -- leaves loops.
  def padded_length (n: i64) : i64 =
    if is_smooth n then n else i64.max 0 (i64.min (4 * n) (1 << (64 - i64.i32 (i64.clz (2 * n - 2)))))

  -- Along the middle axis of `[b][n][s]`, of any length: as it is, or with a chirp, whose convolution
  -- takes a second transform. Its filter is one more row.
  def along [e] (w: roots [e]) (b: i64) (n: i64) (s: i64) (xs: [b * n * s]complex) : [b * n * s]complex =
    let m = w.length
    let is_plain = m == n
    let count = if is_plain then b else b + 1
    let x = unflatten_3d xs
    let padded r j q =
      let from_end = i64.min j (m - j)
      in if r < b
         then if j < n then mul x[r, j, q] (chirp j n) else zero
         else if from_end < n then conj (chirp from_end n) else zero
    let start =
      if is_plain
      then xs :> [count * m * s]complex
      else flatten_3d (tabulate_3d count m s padded)
    let filtered (zs: [count * m * s]complex) =
      let z = unflatten_3d zs
      in flatten_3d (tabulate_3d count m s (\r j q -> conj (mul z[count - 1, j, q] z[r, j, q])))
    let ys =
      loop ys = start
      for i < (if is_plain then 1 else 2) do
        let zs = smooth w count m ys
        in if i == 0 && !is_plain then filtered zs else zs
    let shrink = R.from_fraction 1 (i64.max 1 m)
    in if is_plain
       then ys :> [b * n * s]complex
       else let y = unflatten_3d ys
            let row r k q = if r < count && k < m then y[r, k, q] else zero
            in flatten_3d (tabulate_3d b n s (\r k q -> scale shrink (mul (conj (row r k q)) (chirp k n))))

  -- Along each of up to three axes, whose lengths from the last to the first are `length`.
  def axes [k] (rank: i64) (length: i64 -> i64) (xs: [k]complex) : [k]complex =
    let padded i = if i < rank then padded_length (length i) else 0
    let lengths = (padded 0, padded 1, padded 2)
    let table = roots_of lengths
    in (loop (xs, s) = (xs, 1)
        for i < rank do
          let n = length i
          let b = k / i64.max 1 (n * s)
          in (along (roots_along lengths i table) b n s (xs :> [b * n * s]complex) :> [k]complex, n * s)).0

  def rows [b] [n] (xss: [b][n]complex) : [b][n]complex =
    unflatten (axes 1 (\_ -> n) (flatten xss))

  -- Another sign of the angle is real and imaginary part exchanged, before and behind.
  def inverse_rows [b] [n] (xss: [b][n]complex) : [b][n]complex =
    let shrink = R.from_fraction 1 (i64.max 1 n)
    in map (map (\x -> scale shrink (swap x))) (rows (map (map swap) xss))

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
