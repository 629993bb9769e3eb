-- Loops of cells over arrays of few elements: states of generators, vectors, messages of hashes.

def ror (x: u32) (n: u32) : u32 = (x >> n) | (x << (32 - n))

-- A message that grows in place, in loops of few iterations.
-- ==
-- entry: message
-- input { [1u32, 77u32, 4000000000u32] }
-- auto output
entry message [n] (xs: [n]u32) : [n]u32 =
  map (\x ->
         let w = replicate 64 0u32
         let w = loop w for i < 16 do w with [i] = x * u32.i64 i
         let w =
           loop w for j < 48 do
             let i = j + 16
             let (a, b) = (w[i - 15], w[i - 2])
             in w with [i] = w[i - 16] + (ror a 7 ^ a >> 3) + w[i - 7] + ror b 17
         in loop s = 0u32 for i < 64 do ror s 5 + w[i])
      xs

-- Vectors through as many steps as the call says; rotated ones, quotients by their sum.
-- ==
-- entry: vectors
-- input { [1f32, 2.5f32] 7i64 }
-- input { [1f32, 2.5f32] 0i64 }
-- auto output
entry vectors [n] (xs: [n]f32) (steps: i64) : ([n]f32, [n][4]f32) =
  unzip (map (\x ->
                let v = loop v = [x, x + 1, x + 2] for _i < steps do map (\a -> a * 0.5 + v[0]) v
                let q =
                  loop q = replicate 4 x
                  for i < steps do
                    let q = map2 (\a b -> a * 0.25 + b + f32.i64 i) q (rotate 1 q)
                    in map (/ (q[0] + q[3])) q
                in (v[0] + v[1] * v[2], q))
             xs)

-- A generator's state, updated in place until a number is small; who finds none stops at the limit.
-- ==
-- entry: generator
-- input { [1u32, 2u32, 3u32, 900u32] }
-- auto output
entry generator [n] (xs: [n]u32) : ([n]u32, [n]i32) =
  unzip (map (\x ->
                let (s, k, _) =
                  loop (s, k, go) = ([x, x ^ 0x9e3779b9, 7u32, x + 11], 0i32, true)
                  while go do
                    let t = s[0] ^ s[0] << 11
                    let s = [s[1], s[2], s[3], s[3]]
                    let s = s with [3] = s[3] ^ s[3] >> 19 ^ t ^ t >> 8
                    in (s, k + 1, k < 40 && s[3] % 16 != 3)
                in (s[3], k))
             xs)

-- Tables of constants by the loop's index, and a row in memory by places that depend on it.
-- ==
-- entry: rounds
-- input { [[1u32, 2u32, 3u32, 4u32], [9u32, 8u32, 7u32, 6u32]] }
-- auto output
entry rounds [n] (ms: [n][4]u32) : [n]u32 =
  let shifts = [3u32, 7, 11, 19, 5, 9, 13, 21]
  let adds = [0x5a827999u32, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6]
  in map (\m ->
            let (a, b) =
              loop (a, b) = (1u32, 2u32)
              for i < 8 do
                let (f, g) = if i < 4 then (a & b, i) else (a ^ b, (3 * i + 1) % 4)
                in (b, a + ((f + m[g] + adds[i % 4]) << shifts[i]))
            in a ^ b)
         ms

-- A place that only the cell knows: a number's digits, counted. Elements in a branch and in a loop.
-- ==
-- entry: places
-- input { [1234i64, 99990i64, 0i64] }
-- auto output
entry places [n] (xs: [n]i64) : ([n]i64, [n]i64) =
  unzip (map (\x ->
                let (bins, _) =
                  loop (bins, y) = (replicate 10 0i64, x)
                  for _i < 6i32 do
                    (bins with [y % 10] = bins[y % 10] + 1, y / 10)
                let v =
                  loop v = [x, 1i64, 2i64]
                  for i < 5i64 do
                    let v = if v[0] % 2 == 0 then v with [0] = v[0] / 2 else v with [0] = 3 * v[0] + 1
                    let s = loop s = 0i64 for j < i do s + v[1] * j
                    in v with [1] = s + v[0] with [2] = v[2] + v[1]
                in (bins[0] + 10 * bins[9] + 100 * bins[3], v[0] + v[1] * v[2]))
             xs)

-- The fourth step reads behind the row.
-- ==
-- entry: outside
-- input { [1i32] } error: H7001
entry outside [n] (xs: [n]i32) : [n]i32 =
  map (\x -> let w = [x, x + 1, x + 2, x + 3] in loop s = 0i32 for i < 4i64 do s + w[i + 1]) xs
