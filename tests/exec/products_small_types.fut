-- Products of small integers, of whole tiles and of cut ones. Cooperative matrices compute them on
-- devices that have them; tests/CMakeLists.txt forces the schedule.

def mix (i: i64) (j: i64) : i64 = ((i * 7919 + j * 104729) ^ (i * j)) & 0xffff
def chars (n: i64) (m: i64) : [n][m]i8 = tabulate_2d n m (\i j -> i8.i64 (mix i j % 256 - 128))
def bytes (n: i64) (m: i64) : [n][m]u8 = tabulate_2d n m (\i j -> u8.i64 (mix i j % 256))

-- An array in memory: loops keep makers and readers of `f`'s result apart.
def stored 't (n: i64) (m: i64) (blank: t) (f: i64 -> [n][m]t) : [n][m]t =
  loop _ = replicate n (replicate m blank) for i < i64.min n 1 do f i

-- ==
-- entry: of_chars
-- input { 32i64 32i64 64i64 }
-- input { 37i64 35i64 45i64 }
entry of_chars (n: i64) (m: i64) (k: i64) : [n][m]i32 =
  let a = stored n k 0 (\_ -> chars n k)
  let b = stored m k 0 (\_ -> chars m k)
  in map (\row -> map (\column -> i32.sum (map2 (\x y -> i32.i8 x * i32.i8 y) row column)) b) a

-- ==
-- entry: of_bytes
-- input { 32i64 32i64 64i64 }
-- input { 37i64 35i64 45i64 }
entry of_bytes (n: i64) (m: i64) (k: i64) : [n][m]i32 =
  let a = stored n k 0 (\_ -> bytes n k)
  let b = stored k m 0 (\_ -> bytes k m)
  in map (\row ->
            map (\column -> i32.sum (map2 (\x y -> i32.u8 x * i32.u8 y) row column)) (transpose b))
         a
