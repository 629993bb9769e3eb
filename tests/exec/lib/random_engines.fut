-- | cpprandom in style
module type rng_engine = {
  type int_t
  module int: integral with t = int_t
  type rng
  val rng_from_seed [n] : [n]i32 -> rng
  val split_rng : (n: i64) -> rng -> [n]rng
  val join_rng [n] : [n]rng -> rng
  val rand : rng -> (rng, int.t)
  val min : int.t
  val max : int.t
}

module type rng_distribution = {
  module engine: rng_engine
  type~ distribution
  module num: numeric
  val rand : distribution -> engine.rng -> (engine.rng, num.t)
}

local
def hash (x: i32) : i32 =
  let x = u32.i32 x
  let x = ((x >> 16) ^ x) * 0x45d9f3b
  let x = ((x >> 16) ^ x) * 0x45d9f3b
  let x = ((x >> 16) ^ x)
  in i32.u32 x

module linear_congruential_engine (T: integral) (P: {val a : T.t val c : T.t val m : T.t})
  : {
      include rng_engine with int_t = T.t
    }
    with rng = T.t = {
  type int_t = T.t
  type rng = T.t
  module int = T

  def rand (x: rng) : (rng, int_t) =
    let rng' = (P.a T.* x T.+ P.c) T.% P.m
    in (rng', rng')

  def rng_from_seed [n] (seed: [n]i32) =
    let seed' =
      loop seed' = 1
      for i < n do
        u32.(((seed' >> 16) ^ seed')
             ^ (i32 seed[i] ^ 0b1010101010101))
    in (rand (T.u32 seed')).0

  def split_rng (n: i64) (x: rng) : [n]rng =
    map (\i -> (rand (x T.^ T.i32 (hash (i32.i64 i)))).0) (iota n)

  def join_rng [n] (xs: [n]rng) : rng = reduce (T.^) (T.i32 0) xs
  def min = T.i32 0
  def max = P.m
}

module xorshift128plus : rng_engine with int_t = u64 with rng = (u64, u64) = {
  module int = u64
  type int_t = u64
  type rng = (u64, u64)
  def i32 = u64.i32
  def (^) = (u64.^)
  def (<<) = (u64.<<)
  def (>>) = (u64.>>)
  def (+) = (u64.+)

  def rand ((x, y): rng) : (rng, u64) =
    let x = x ^ (x << (u64.i32 23))
    let new_x = y
    let new_y = x ^ y ^ (x >> (u64.i32 17)) ^ (y >> (u64.i32 26))
    in ((new_x, new_y), (new_y + y))

  def rng_from_seed [n] (seed: [n]i32) =
    loop (a, b) = (u64.i32 (-624180), u64.i32 123)
    for i < n do
      if n i64.% 2 i64.== 0
      then (rand (a ^ u64.i32 (hash seed[i]), b)).0
      else (rand (a, b ^ u64.i32 (hash seed[i]))).0

  def split_rng (n: i64) ((x, y): rng) : [n]rng =
    map (\i -> let (a, b) = (rand (rand (x ^ u64.i64 (i), y ^ u64.i64 (i))).0).0 in (a, b)) (iota n)

  def join_rng [n] (xs: [n]rng) : rng =
    let (xs, ys) = unzip xs
    in (reduce (^) (u64.i32 0) xs, reduce (^) (u64.i32 0) ys)

  def min = u64.lowest
  def max = u64.highest
}

module pcg32 : rng_engine with int_t = u32 = {
  type int_t = u32
  module int = u32
  type rng = {state: u64, inc: u64}

  def rand ({state, inc}: rng) =
    let oldstate = state
    let state = oldstate * 6364136223846793005u64 + (inc | 1u64)
    let xorshifted = u32.u64 (((oldstate >> 18u64) ^ oldstate) >> 27u64)
    let rot = u32.u64 (oldstate >> 59u64)
    in ({state, inc}, (xorshifted >> rot) | (xorshifted << ((-rot) & 31u32)))

  def rng_from_seed (xs: []i32) =
    let rng = {state = 0u64, inc = 0xda3e39cb94b95bdbu64}
    let ({state, inc}, _) = rand rng
    in (loop {state, inc} for x in xs do (rand {state = state * u64.i32 x, inc}).0)

  def split_rng (n: i64) ({state, inc}: rng) : [n]rng =
    map (\i -> (rand {state = state * u64.i32 (hash (i32.i64 (i ^ n))), inc}).0) (iota n)

  def join_rng (rngs: []rng) =
    let states = map (\(x: rng) -> x.state) rngs
    let incs = map (\(x: rng) -> x.inc) rngs
    let state = reduce (*) 1u64 states
    let inc = reduce (|) 0u64 incs
    in {state, inc}

  def min = 0u32
  def max = 0xFFFFFFFFu32
}

module minstd_rand : rng_engine with int_t = u32 =
  linear_congruential_engine u32 {def a = 48271u32 def c = 0u32 def m = 2147483647u32}

module minstd = minstd_rand

module uniform_int_distribution (D: integral) (E: rng_engine)
  : rng_distribution
    with distribution = (D.t, D.t)
    with num.t = D.t
    with engine.rng = E.rng = {
  def to_D (x: E.int.t) = D.u64 (u64.i64 (E.int.to_i64 x))
  def to_E (x: D.t) = E.int.u64 (u64.i64 (D.to_i64 x))
  module engine = E
  module num = D
  type distribution = (D.t, D.t)
  open E.int
  def uniform (min: D.t, max: D.t) = (min, max)

  def rand ((min, max): distribution) (rng: E.rng) =
    let range = to_E (max D.- min) + i32 1
    in if range <= i32 0
       then (rng, to_D E.min)
       else let secure_max = E.max - E.max %% range
            let (rng, x) =
              loop (rng, x) = E.rand rng
              while x >= secure_max do
                E.rand rng
            in (rng, min D.+ to_D (x / (secure_max / range)))
}

module uniform_real_distribution (R: float) (E: rng_engine)
  : rng_distribution
    with num.t = R.t
    with engine.rng = E.rng
    with distribution = (R.t, R.t) = {
  def to_R (x: E.int.t) =
    R.u64 (u64.i64 (E.int.to_i64 x))

  module engine = E
  module num = R
  type distribution = (num.t, num.t)
  def uniform (min: num.t) (max: num.t) = (min, max)

  def rand ((min, max): distribution) (rng: E.rng) =
    let (rng', x) = E.rand rng
    let x' = (to_R x R.- to_R E.min) R./ (to_R E.max R.- to_R E.min)
    in (rng', min R.+ x' R.* (max R.- min))
}

module normal_distribution (R: real) (E: rng_engine)
  : rng_distribution
    with num.t = R.t
    with engine.rng = E.rng
    with distribution = {mean: R.t, stddev: R.t} = {
  def to_R (x: E.int.t) =
    R.u64 (u64.i64 (E.int.to_i64 x))

  module engine = E
  module num = R
  type distribution = {mean: num.t, stddev: num.t}
  def normal (mean: num.t) (stddev: num.t) = {mean = mean, stddev = stddev}
  open R

  def rand ({mean, stddev}: distribution) (rng: E.rng) =
    let (rng, u1) = E.rand rng
    let (rng, u2) = E.rand rng
    let u1 = (to_R u1 - to_R E.min) / (to_R E.max - to_R E.min)
    let u2 = (to_R u2 - to_R E.min) / (to_R E.max - to_R E.min)
    let r = sqrt (i32 (-2) * log u1)
    let theta = i32 2 * pi * u2
    in (rng, mean + stddev * (r * cos theta))
}

module shuffle_order_engine (K: {val k : i64}) (E: rng_engine)
  : rng_engine
    with int_t = E.int.t
    with rng = (E.rng, [K.k]E.int.t) = {
  type int_t = E.int.t
  type rng = (E.rng, [K.k]int_t)
  module int = E.int

  def build_table (rng: E.rng) =
    let xs = replicate K.k (int.i32 0)
    in loop (rng, xs) for i < K.k do
         let (rng, x) = E.rand rng
         in (rng, xs with [i] = x)

  def rng_from_seed [n] (xs: [n]i32) =
    build_table (E.rng_from_seed xs)

  def split_rng (n: i64) ((rng, _): rng) : [n]rng =
    map build_table (E.split_rng n rng)

  def join_rng [n] (rngs: [n]rng) =
    let (rngs', _) = unzip rngs
    in build_table (E.join_rng rngs')

  def rand ((rng, table): rng) : (rng, int_t) =
    let (rng, x) = E.rand rng
    let i = i64.i32 (i32.i64 (int.to_i64 x)) %% K.k
    let (rng, y) = E.rand rng
    in ((rng, (copy table) with [i] = y), table[i])

  def min = E.min
  def max = E.max
}
