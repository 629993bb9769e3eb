-- Divisions by powers of two that only the run knows, and powers of 2, 4, 8 and -1: as all others.

def small (n: i64) : [n]i32 = map (\i -> i32.i64 (i * 7919 - 40000)) (iota n)

-- The ends of the type and what is next to them.
def ends : []i32 = [i32.lowest, i32.lowest + 1, -65, -64, -1, 0, 1, 63, 64, i32.highest]

-- ==
-- entry: by_shift by_table by_doubling lowest_bits bytes raised blocks
-- input { 0i64 }
-- input { 1i64 }
-- input { 17i64 }
-- input { 300i64 }

entry by_shift (n: i64) : ([][]i32, [][]i32) =
  let divide (x: i32) = unzip (map (\k -> (x / (1 << i32.i64 k), x % (1 << i32.i64 k))) (iota 32))
  in unzip (map divide (ends ++ small n))

entry by_table (n: i64) : []i64 =
  let table = map (2i64 **) (iota 40)
  in map (\x -> loop s = i64.i32 x for p in table do s / p + s % (-p)) (ends ++ small n)

entry by_doubling (n: i64) : ([]i32, []u32) =
  unzip (map (\x ->
                let (s, _) = loop (s, w) = (0, 1) while w < 1000 do (s + x / w - x % w, w * 2)
                let (t, _) =
                  loop (t, w) = (0, 1u32)
                  while w < 1000 do
                    (t + u32.i32 x / w - u32.i32 x % w, w + w)
                in (s, t))
             (ends ++ small n))

entry lowest_bits (n: i64) : []i32 =
  map2 (\x i -> let d = (i32.i64 i + 1) & -(i32.i64 i + 1) in x / d + x % d) (small n) (iota n)

entry bytes (n: i64) : ([]i8, []u8, []i16) =
  unzip3 (map (\i ->
                 let x = i8.i64 i
                 let p = 1i8 << (x & 7)
                 in (x / p - x % p, u8.i8 x / u8.i8 p, i16.i8 x / (-1 << i16.i8 (x & 7))))
              (iota n))

entry raised (n: i64) : ([]i32, []i64, []u8, []i8) =
  unzip4 (map (\i -> (2 ** i32.i64 i, (-1) ** i + 4 ** (i % 40), 8 ** u8.i64 i, (-1) ** (i8.i64 i & 127)))
              (iota n))

-- Which block of a growing size an element is in, as merges and butterflies ask.
entry blocks (n: i64) : [n]i64 =
  loop xs = iota n
  for k < 6 do
    let width = 1 << k
    in map (\i -> xs[(i / (2 * width) * 2 * width + (i + width) % (2 * width)) % n]) (iota n)
