-- Parametric modules at work: number fields, vectors, polynomials, sorting, random numbers, hashing.
-- tolerance: 1e-9
-- ==
-- entry: complex_product
-- input { [1.0, 0.0] [2.0, 1.0] } output { -2.0 1.0 }
-- ==
-- entry: polynomial
-- input { [1, 2, 3] 2 } output { 17 [1, 4, 10, 12, 9] }
-- ==
-- entry: sorted_by
-- input { [3, 1, 2] } output { [1, 2, 3] [3, 2, 1] }
-- ==
-- entry: random
-- input { 42 4i64 } output { [1250496027, 1116302264, 1000676753, 1668674806] }
-- ==
-- entry: table
-- input { [5, 17, 29] 17 } output { 1 -1 }
-- ==
-- entry: transform
-- input { [1.0, 2.0, 3.0, 4.0] } output { [10.0, -2.0, -2.0, -2.0] [0.0, 2.0, 0.0, -2.0] }

module type ring = {
  type t
  val zero : t
  val one : t
  val + : t -> t -> t
  val * : t -> t -> t
}

module integers = {type t = i32 def zero = 0i32 def one = 1i32 def (a: t) + (b: t) = a i32.+ b def (a: t) * (b: t) = a i32.* b}
module reals = {type t = f64 def zero = 0f64 def one = 1f64 def (a: t) + (b: t) = a f64.+ b def (a: t) * (b: t) = a f64.* b}

module complex (R: ring) (N: {val negate : R.t -> R.t})
  : {
      include ring
      val make : R.t -> R.t -> t
      val re : t -> R.t
      val im : t -> R.t
    } = {
  type t = (R.t, R.t)
  def zero = (R.zero, R.zero)
  def one = (R.one, R.zero)
  def (a: t) + (b: t) : t = (a.0 R.+ b.0, a.1 R.+ b.1)
  def (a: t) * (b: t) : t = ((a.0 R.* b.0) R.+ N.negate (a.1 R.* b.1), (a.0 R.* b.1) R.+ (a.1 R.* b.0))
  def make (x: R.t) (y: R.t) : t = (x, y)
  def re (a: t) = a.0
  def im (a: t) = a.1
}

module c64 = complex reals {def negate (x: f64) = -x}

module polynomials (R: ring) = {
  def evaluate [n] (p: [n]R.t) (x: R.t) : R.t = foldr (\c sum -> c R.+ (x R.* sum)) R.zero p

  def product [n] [m] (p: [n]R.t) (q: [m]R.t) : [n + m - 1]R.t =
    let term i j = if i - j >= 0 && i - j < n then p[i - j] R.* q[j] else R.zero
    in tabulate (n + m - 1) (\i -> reduce (R.+) R.zero (map (term i) (iota m)))

  def power [n] (k: i64) (p: [n]R.t) : []R.t =
    loop q = [R.one] for _i < k do product p q
}

module over_integers = polynomials integers
module over_complex = polynomials c64

entry polynomial [n] (p: [n]i32) (x: i32) = (over_integers.evaluate p x, over_integers.power 2 p)

entry complex_product [n] (re: [n]f64) (im: [n]f64) =
  let product = reduce (c64.*) c64.one (map2 c64.make re im)
  in (c64.re product, c64.im product)

module type ordered = {type t val <= : t -> t -> bool}

module sorting (O: ordered) = {
  def insert [n] (xs: [n]O.t) (x: O.t) : []O.t =
    let (small, large) = partition (\y -> y O.<= x) xs
    in small ++ [x] ++ large

  def sort [n] (xs: [n]O.t) : [n]O.t = (loop sorted = [] for x in xs do insert sorted x) :> [n]O.t
}

module upwards = sorting {type t = i32 def (a: i32) <= (b: i32) = a i32.<= b}
module downwards = sorting {type t = i32 def (a: i32) <= (b: i32) = b i32.<= a}
entry sorted_by [n] (xs: [n]i32) = (upwards.sort xs, downwards.sort xs)

module type generator = {type state val seed : i32 -> state val next : state -> (state, u32)}

module linear : generator = {
  type state = u32
  def seed (s: i32) = u32.i32 s
  def next (s: state) = let t = s * 1103515245 + 12345 in (t, t & 0x7fffffff)
}

module draws (G: generator) = {
  def many (s: i32) (n: i64) : [n]u32 =
    let (xs, _) =
      loop (xs, state) = (replicate n 0, G.seed s)
      for i < n do
        let (state, x) = G.next state
        in (xs with [i] = x, state)
    in xs
}

module linear_draws = draws linear
entry random (s: i32) (n: i64) = map i32.u32 (linear_draws.many s n)

-- Open addressing; -1 is a free place.
module hashing (H: {val hash : i32 -> i64 val capacity : i64}) = {
  type table = {keys: [H.capacity]i32, values: [H.capacity]i32}
  def empty () : *table = {keys = replicate H.capacity (-1), values = replicate H.capacity (-1)}

  def slot (keys: [H.capacity]i32) (key: i32) : i64 =
    loop i = H.hash key % H.capacity while keys[i] != key && keys[i] != -1 do (i + 1) % H.capacity

  def insert (t: *table) (key: i32) (value: i32) : *table =
    let i = slot t.keys key
    in {keys = t.keys with [i] = key, values = t.values with [i] = value}

  def find (t: table) (key: i32) : i32 = t.values[slot t.keys key]
}

module small = hashing {def hash (x: i32) = i64.i32 x def capacity = 8i64}

entry table [n] (keys: [n]i32) (key: i32) =
  let t = loop t = small.empty () for i < n do small.insert t keys[i] (i32.i64 i)
  in (small.find t key, small.find t 99)

-- A discrete Fourier transform over the complex numbers above.
entry transform [n] (xs: [n]f64) =
  let root k = let a = -2.0 * f64.pi * f64.i64 k / f64.i64 n in c64.make (f64.cos a) (f64.sin a)
  let ys =
    tabulate n (\k ->
                  reduce (c64.+)
                         c64.zero
                         (map2 (\x j -> c64.make x 0.0 c64.* root (k * j)) xs (iota n)))
  let rounded x = f64.round (x * 1e6) / 1e6
  in (map (c64.re >-> rounded) ys, map (c64.im >-> rounded) ys)
