-- One entry for each template that there is beside a simple one: bench/gpu/sweep writes their inputs,
-- the last of which says how often the work is repeated. Sizes begin at one element.

def data (n: i64) : [n]f32 = map (\i -> f32.i64 ((i * 7919) % 1024) * 0.001f32) (iota n)

entry small_elements (n: i64) (times: i32) : [n]i8 =
  loop xs = map i8.i64 (iota n) for _i < times do map (\x -> x * 3i8 + 1i8) xs

entry sum (n: i64) (times: i32) : f32 =
  let xs = data n
  in loop s = 0f32 for _i < times do f32.sum (map (\x -> x * x + s * 0.00001f32) xs)

entry greatest (n: i64) (times: i32) : i64 =
  let xs = data n
  in loop s = 0
     for _i < times do
       (reduce_comm (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j))
                    (f32.lowest, i64.highest)
                    (zip (map (+ f32.i64 s) xs) (iota n))).1

entry prefixes (n: i64) (times: i32) : [n]f32 =
  loop xs = data n for _i < times do scan (+) 0f32 xs

entry row_sums (n: i64) (m: i64) (times: i32) : [n]f32 =
  let xs = unflatten (data (n * m)) :> [n][m]f32
  in loop s = replicate n 0f32
     for _i < times do
       map2 (\t row -> f32.sum (map (\x -> x + t * 0.00001f32) row)) s xs

entry row_prefixes (n: i64) (m: i64) (times: i32) : [n][m]f32 =
  loop xs = (unflatten (data (n * m)) :> [n][m]f32)
  for _i < times do
    map (scan (\a b -> a * 0.5f32 + b) 0f32) xs

entry column_prefixes (n: i64) (m: i64) (times: i32) : [n][m]f32 =
  loop xs = (unflatten (data (n * m)) :> [n][m]f32)
  for _i < times do
    transpose (map (scan (\a b -> a * 0.5f32 + b) 0f32) (transpose xs))

entry transposed (n: i64) (times: i32) : [n][n]f32 =
  loop xs = (unflatten (data (n * n)) :> [n][n]f32) for _i < times do copy (transpose xs)

entry products (n: i64) (times: i32) : [n][n]f32 =
  let b = unflatten (data (n * n)) :> [n][n]f32
  in loop a = copy b
     for _i < times do
       map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a

entry greatest_products (n: i64) (times: i32) : [n][n]f32 =
  let b = unflatten (data (n * n)) :> [n][n]f32
  in loop a = copy b
     for _i < times do
       map (\r -> map (\c -> f32.maximum (map2 (+) r c)) (transpose b)) a

entry middle_sums (n: i64) (m: i64) (k: i64) (times: i32) : [n][k]f32 =
  let xs = unflatten_3d (data (n * m * k)) :> [n][m][k]f32
  in loop s = replicate n (replicate k 0f32)
     for _i < times do
       map2 (\ts plane ->
               map2 (\t column -> f32.sum (map (\x -> x + t * 0.00001f32) column))
                    ts
                    (transpose plane))
            s
            xs

entry weights (n: i64) (bins: i64) (times: i32) : [bins]f32 =
  let is = map (\i -> i64.u32 ((u32.i64 i * 2654435761) >> 12) % bins) (iota n)
  let xs = data n
  in loop hs = replicate bins 0f32 for _i < times do reduce_by_index hs (+) 0 is xs

entry counts (n: i64) (bins: i64) (times: i32) : [bins]i32 =
  let is = map (\i -> i64.u32 ((u32.i64 i * 2654435761) >> 12) % bins) (iota n)
  in loop hs = replicate bins 0i32 for _i < times do reduce_by_index hs (+) 0 is (replicate n 1)

entry filtered (n: i64) (times: i32) : i64 =
  let xs = map (\i -> i32.u32 ((u32.i64 i * 2654435761) >> 12)) (iota n)
  in loop s = 0
     for _i < times do
       let ys = filter (\x -> x % 3 != i32.i64 (s & 1)) xs
       in s + (if length ys == 0 then 1 else i64.i32 ys[length ys / 2])

entry normalised (n: i64) (m: i64) (times: i32) : [n][m]f32 =
  loop xs = (unflatten (data (n * m)) :> [n][m]f32)
  for _i < times do
    map (\row -> let s = f32.sum row in map (\x -> x / (1 + s)) row) xs

entry sorted (n: i64) (times: i32) : [n]u32 =
  loop xs = map (\i -> u32.i64 i * 2654435761) (iota n)
  for _i < times do
    u32.sort (map (* 2654435761) xs)

entry sorted_long (n: i64) (times: i32) : [n]f64 =
  loop xs = map (\i -> f64.sin (f64.i64 i)) (iota n) for _i < times do f64.sort (map (* 1.5) xs)

entry sorted_by_key (n: i64) (times: i32) : [n](u32, f32) =
  loop xs = zip (map (\i -> u32.i64 i * 2654435761) (iota n)) (data n)
  for _i < times do
    u32.sort_by_key (\(key, _) -> key * 2654435761) xs

entry permuted (n: i64) (m: i64) (times: i32) : [n][8][m]f32 =
  loop xs = (unflatten_3d (data (n * 8 * m)) :> [n][8][m]f32)
  for _i < times do
    unflatten_3d (flatten_3d (copy (transpose (map transpose xs))) :> [n * 8 * m]f32)

entry transposed_small (n: i64) (times: i32) : [n][n]u8 =
  loop xs = (unflatten (map u8.i64 (iota (n * n))) :> [n][n]u8) for _i < times do copy (transpose xs)
