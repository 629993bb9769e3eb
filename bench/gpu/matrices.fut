-- Products of small types, which cooperative matrices compute. bench/gpu/matrices runs this:
-- `times_*` repeat a product, `wrong_*` count cells that differ from the product in a wide type.

def mix (i: i64) (j: i64) : i64 = ((i * 7919 + j * 104729) ^ (i * j)) & 0xffff

-- From -8 to 8: products, and the sums of many of them, are exact in f32.
def halves (n: i64) (m: i64) : [n][m]f16 = tabulate_2d n m (\i j -> f16.i64 (mix i j % 17 - 8))

def fractions (n: i64) (m: i64) : [n][m]f16 =
  tabulate_2d n m (\i j -> f16.f32 (f32.i64 (mix i j) / 32768 - 1))

def chars (n: i64) (m: i64) : [n][m]i8 = tabulate_2d n m (\i j -> i8.i64 (mix i j % 256 - 128))
def bytes (n: i64) (m: i64) : [n][m]u8 = tabulate_2d n m (\i j -> u8.i64 (mix i j % 256))

-- An array in memory: loops keep makers and readers of `f`'s result apart.
def stored 't (n: i64) (m: i64) (blank: t) (f: i64 -> [n][m]t) : [n][m]t =
  loop _ = replicate n (replicate m blank) for i < i64.min n 1 do f i

def product 't 's [n] [m] [k] (cell: [k]t -> [k]t -> s) (a: [n][k]t) (b: [m][k]t) : *[n][m]s =
  map (\row -> map (\column -> cell row column) b) a

def cell_f16_f32 [k] (row: [k]f16) (column: [k]f16) : f32 =
  reduce (+) 0f32 (map2 (\x y -> f32.f16 x * f32.f16 y) row column)

def cell_f16_f16 [k] (row: [k]f16) (column: [k]f16) : f16 =
  reduce (+) 0f16 (map2 (*) row column)

def cell_i8_i32 [k] (row: [k]i8) (column: [k]i8) : i32 =
  reduce (+) 0i32 (map2 (\x y -> i32.i8 x * i32.i8 y) row column)

def cell_u8_i32 [k] (row: [k]u8) (column: [k]u8) : i32 =
  reduce (+) 0i32 (map2 (\x y -> i32.u8 x * i32.u8 y) row column)

def wide_f16 [k] (row: [k]f16) (column: [k]f16) : f64 =
  reduce (+) 0f64 (map2 (\x y -> f64.f16 x * f64.f16 y) row column)

def wide_i8 [k] (row: [k]i8) (column: [k]i8) : i64 =
  reduce (+) 0i64 (map2 (\x y -> i64.i8 x * i64.i8 y) row column)

def wide_u8 [k] (row: [k]u8) (column: [k]u8) : i64 =
  reduce (+) 0i64 (map2 (\x y -> i64.u8 x * i64.u8 y) row column)

entry times_f16_f32 (n: i64) (m: i64) (k: i64) (times: i64) : f32 =
  let b = halves k m
  let (c, _) =
    loop (_, a) = (replicate n (replicate m 0f32), halves n k)
    for i < times do
      let c = product cell_f16_f32 a (transpose b)
      in (c, a with [0, 0] = f16.i64 (i % 8))
  in c[n / 2, m / 2]

entry times_f16_f32_rows (n: i64) (m: i64) (k: i64) (times: i64) : f32 =
  let b = halves m k
  let (c, _) =
    loop (_, a) = (replicate n (replicate m 0f32), halves n k)
    for i < times do
      let c = product cell_f16_f32 a b
      in (c, a with [0, 0] = f16.i64 (i % 8))
  in c[n / 2, m / 2]

entry wrong_f16_f32 (n: i64) (m: i64) (k: i64) : i64 =
  let a = stored n k 0f16 (\_ -> halves n k)
  let b = stored k m 0f16 (\_ -> halves k m)
  let c = stored n m 0f32 (\_ -> product cell_f16_f32 a (transpose b))
  let d = product wide_f16 a (transpose b)
  in i64.sum (flatten (map2 (map2 (\x y -> i64.bool (x != f32.f64 y))) c d))

entry wrong_f16_f32_rows (n: i64) (m: i64) (k: i64) : i64 =
  let a = stored n k 0f16 (\_ -> halves n k)
  let b = stored m k 0f16 (\_ -> halves m k)
  let c = stored n m 0f32 (\_ -> product cell_f16_f32 a b)
  let d = product wide_f16 a b
  in i64.sum (flatten (map2 (map2 (\x y -> i64.bool (x != f32.f64 y))) c d))

entry times_f16_f16 (n: i64) (m: i64) (k: i64) (times: i64) : f16 =
  let b = halves k m
  let (c, _) =
    loop (_, a) = (replicate n (replicate m 0f16), halves n k)
    for i < times do
      let c = product cell_f16_f16 a (transpose b)
      in (c, a with [0, 0] = f16.i64 (i % 8))
  in c[n / 2, m / 2]

entry times_f16_f16_rows (n: i64) (m: i64) (k: i64) (times: i64) : f16 =
  let b = halves m k
  let (c, _) =
    loop (_, a) = (replicate n (replicate m 0f16), halves n k)
    for i < times do
      let c = product cell_f16_f16 a b
      in (c, a with [0, 0] = f16.i64 (i % 8))
  in c[n / 2, m / 2]

entry wrong_f16_f16 (n: i64) (m: i64) (k: i64) : i64 =
  let a = stored n k 0f16 (\_ -> halves n k)
  let b = stored k m 0f16 (\_ -> halves k m)
  let c = stored n m 0f16 (\_ -> product cell_f16_f16 a (transpose b))
  let d = product wide_f16 a (transpose b)
  in i64.sum (flatten (map2 (map2 (\x y -> i64.bool (x != f16.f64 y))) c d))

entry wrong_f16_f16_rows (n: i64) (m: i64) (k: i64) : i64 =
  let a = stored n k 0f16 (\_ -> halves n k)
  let b = stored m k 0f16 (\_ -> halves m k)
  let c = stored n m 0f16 (\_ -> product cell_f16_f16 a b)
  let d = product wide_f16 a b
  in i64.sum (flatten (map2 (map2 (\x y -> i64.bool (x != f16.f64 y))) c d))

entry times_i8_i32 (n: i64) (m: i64) (k: i64) (times: i64) : i32 =
  let b = chars k m
  let (c, _) =
    loop (_, a) = (replicate n (replicate m 0i32), chars n k)
    for i < times do
      let c = product cell_i8_i32 a (transpose b)
      in (c, a with [0, 0] = i8.i64 (i % 8))
  in c[n / 2, m / 2]

entry times_i8_i32_rows (n: i64) (m: i64) (k: i64) (times: i64) : i32 =
  let b = chars m k
  let (c, _) =
    loop (_, a) = (replicate n (replicate m 0i32), chars n k)
    for i < times do
      let c = product cell_i8_i32 a b
      in (c, a with [0, 0] = i8.i64 (i % 8))
  in c[n / 2, m / 2]

entry wrong_i8_i32 (n: i64) (m: i64) (k: i64) : i64 =
  let a = stored n k 0i8 (\_ -> chars n k)
  let b = stored k m 0i8 (\_ -> chars k m)
  let c = stored n m 0i32 (\_ -> product cell_i8_i32 a (transpose b))
  let d = product wide_i8 a (transpose b)
  in i64.sum (flatten (map2 (map2 (\x y -> i64.bool (x != i32.i64 y))) c d))

entry wrong_i8_i32_rows (n: i64) (m: i64) (k: i64) : i64 =
  let a = stored n k 0i8 (\_ -> chars n k)
  let b = stored m k 0i8 (\_ -> chars m k)
  let c = stored n m 0i32 (\_ -> product cell_i8_i32 a b)
  let d = product wide_i8 a b
  in i64.sum (flatten (map2 (map2 (\x y -> i64.bool (x != i32.i64 y))) c d))

entry times_u8_i32 (n: i64) (m: i64) (k: i64) (times: i64) : i32 =
  let b = bytes k m
  let (c, _) =
    loop (_, a) = (replicate n (replicate m 0i32), bytes n k)
    for i < times do
      let c = product cell_u8_i32 a (transpose b)
      in (c, a with [0, 0] = u8.i64 (i % 8))
  in c[n / 2, m / 2]

entry times_u8_i32_rows (n: i64) (m: i64) (k: i64) (times: i64) : i32 =
  let b = bytes m k
  let (c, _) =
    loop (_, a) = (replicate n (replicate m 0i32), bytes n k)
    for i < times do
      let c = product cell_u8_i32 a b
      in (c, a with [0, 0] = u8.i64 (i % 8))
  in c[n / 2, m / 2]

entry wrong_u8_i32 (n: i64) (m: i64) (k: i64) : i64 =
  let a = stored n k 0u8 (\_ -> bytes n k)
  let b = stored k m 0u8 (\_ -> bytes k m)
  let c = stored n m 0i32 (\_ -> product cell_u8_i32 a (transpose b))
  let d = product wide_u8 a (transpose b)
  in i64.sum (flatten (map2 (map2 (\x y -> i64.bool (x != i32.i64 y))) c d))

entry wrong_u8_i32_rows (n: i64) (m: i64) (k: i64) : i64 =
  let a = stored n k 0u8 (\_ -> bytes n k)
  let b = stored m k 0u8 (\_ -> bytes m k)
  let c = stored n m 0i32 (\_ -> product cell_u8_i32 a b)
  let d = product wide_u8 a b
  in i64.sum (flatten (map2 (map2 (\x y -> i64.bool (x != i32.i64 y))) c d))

-- The largest error of a cell, in units of f32's precision times the sum of the terms' sizes.
entry error_f16_f32 (n: i64) (m: i64) (k: i64) : f64 =
  let a = stored n k 0f16 (\_ -> fractions n k)
  let b = stored k m 0f16 (\_ -> fractions k m)
  let c = stored n m 0f32 (\_ -> product cell_f16_f32 a (transpose b))
  let d = product wide_f16 a (transpose b)
  let sizes = product wide_f16 (map (map f16.abs) a) (transpose (map (map f16.abs) b))
  in f64.maximum (flatten (map3 (map3 (\x y s -> f64.abs (f64.f32 x - y) / (s * 2 ** -24))) c d sizes))

-- Sums beyond the range of i32 wrap.
entry wrong_wraps (n: i64) (k: i64) : i64 =
  let a = stored n k 0i8 (\_ -> replicate n (replicate k (-128i8)))
  let c = stored n n 0i32 (\_ -> product cell_i8_i32 a a)
  in i64.sum (flatten (map (map (\x -> i64.bool (x != i32.i64 (k * 16384)))) c))
