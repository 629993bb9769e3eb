-- Sorts over several tiles, the last of which is not full: every element type beside the keys, keys
-- of every width, whatever their order is. Forced variants: tests/CMakeLists.txt.

def hash (i: i64) : u32 =
  let x = u32.i64 i * 2654435761
  in x ^ (x >> 15)

def rises [n] 'k ((<=): k -> k -> bool) (xs: [n]k) : bool =
  and (map (\i -> i == 0 || xs[i - 1] <= xs[i]) (iota n))

-- Equal keys keep their order.
def is_order [n] 'k ((<=): k -> k -> bool) (keys: [n]k) (order: [n]i64) : bool =
  let follows i =
    let (a, b) = (order[i - 1], order[i])
    in keys[a] <= keys[b] && (a < b || !(keys[b] <= keys[a]))
  in and (map (\i -> i == 0 || follows i) (iota n))
     && and (map (== 1i32) (reduce_by_index (replicate n 0) (+) 0 order (replicate n 1)))

-- ==
-- entry: keys
-- input { 0i64 }
-- input { 1i64 }
-- input { 255i64 }
-- input { 7168i64 }
-- input { 30011i64 }
-- output { true }
entry keys (n: i64) : bool =
  let xs = map hash (iota n)
  in rises (<=) (u8.sort (map u8.u32 xs)) && rises (<=) (u16.sort (map u16.u32 xs))
     && rises (<=) (u32.sort xs)
     && rises (<=) (u64.sort (map (\x -> u64.u32 x << 13 ^ u64.u32 x) xs))
     && rises (<=) (i16.sort (map i16.u32 xs))
     && rises (<=) (f32.sort (map (\x -> f32.u32 x - 2e9) xs))
     && rises (<=) (f64.sort (map (\x -> f64.u32 x - 2e9) xs))

-- ==
-- entry: orders
-- input { 30011i64 }
-- output { true true true true }
entry orders (n: i64) : (bool, bool, bool, bool) =
  let xs = map hash (iota n)
  let check keys = is_order (<=) keys (u32.sort_order keys)
  in (check xs, check (map (% 10) xs), check (replicate n 7), check (reverse (map u32.i64 (iota n))))

-- Digits that all keys share, at both ends of a key and between others, 0 and others; values go along.
-- ==
-- entry: shared_digits
-- input { 0i64 }
-- input { 1i64 }
-- input { 30011i64 }
-- output { true true true true true }
entry shared_digits (n: i64) : (bool, bool, bool, bool, bool) =
  let xs = map hash (iota n)
  let check keys = is_order (<=) keys (u64.sort_order keys)
  let byte k x = u64.u32 (x & 255) << k
  in ( check (map (byte 0) xs)
     , check (map (\x -> byte 24 x + 0x770000000000) xs)
     , check (map (\x -> byte 56 x ^ byte 8 x) xs)
     , is_order (<=) (map (\x -> i64.u32 (x % 7) - 3) xs) (i64.sort_order (map (\x -> i64.u32 (x % 7) - 3) xs))
     , rises (<=) (u32.sort (map (\x -> x & 0xff00) xs))
     )

-- Values of all sizes, several of them, and none that change places wrongly.
-- ==
-- entry: values
-- input { 20011i64 }
-- output { true }
entry values (n: i64) : bool =
  let xs = map hash (iota n)
  let beside = map (\x -> (i8.u32 x, i16.u32 x, x % 3 == 0, f64.u32 x, f16.u32 (x % 1000))) xs
  let (ks, vs) = radix_sort_u32 xs beside
  in rises (<=) ks
     && and (map2 (\x (a, b, c, d, e) ->
                     a == i8.u32 x && b == i16.u32 x && c == (x % 3 == 0)
                     && d == f64.u32 x
                     && e == f16.u32 (x % 1000))
                  ks
                  vs)

-- Elements that go along with their keys, and those that are too long or wanted otherwise.
-- ==
-- entry: elements
-- input { 0i64 }
-- input { 1i64 }
-- input { 257i64 }
-- input { 20011i64 }
entry elements (n: i64) : (u32, u32, u32, u32, u32, u32) =
  let xs = map hash (iota n)
  let check [m] (ys: [m]u32) = u32.sum (map2 (\i y -> y * (u32.i64 i * 2 + 1)) (iota m) ys)
  let small = zip (map (% 1000) xs) (map i16.u32 xs)
  let sorted = u32.sort_by_key (.0) small
  let long = u32.sort_by_key (.0) (zip3 (map (% 100) xs) (map u64.u32 xs) (map i64.u32 xs))
  let mapped = map (\(x, y) -> x + 3 * u32.i16 y) (u32.sort_by_key (\(x, _) -> x % 7) small)
  let total = check (map (.0) (u16.sort_by_key (\(_, y) -> u16.i16 y) small))
  let order = u32.sort_order (map (% 50) xs)
  let twice = map (\i -> xs[i]) order |> map2 (\i x -> x ^ u32.i64 i) order
  let again = loop ys = xs for _i < 3 do map (+ 1) (u32.sort_by_key (% 13) ys)
  in ( check (map (.0) sorted) + check (map (\(_, y) -> u32.i16 y) sorted)
     , check (map (\(a, b, c) -> a + 3 * u32.u64 b + 5 * u32.i64 c) long)
     , check mapped
     , total
     , check twice
     , check again
     )

-- Elements that hold their keys, wanted whole or for what is computed of them; twice the same.
-- ==
-- entry: holding_keys
-- input { 0i64 }
-- input { 3i64 }
-- input { 20011i64 }
-- output { true true true }
entry holding_keys (n: i64) : (bool, bool, bool) =
  let xs = map (\i -> (hash i % 5000, f32.i64 i)) (iota n)
  let follows (a: (u32, f32)) (b: (u32, f32)) = a.0 < b.0 || (a.0 == b.0 && a.1 < b.1)
  let sorted = u32.sort_by_key (.0) xs
  let sums = map (\(key, x) -> f32.u32 key + x) (u32.sort_by_key (.0) xs)
  let keys = map (.0) xs
  let again = map (\i -> (keys[i], keys[i])) (u32.sort_order keys)
  in ( and (map (\i -> i == 0 || follows sorted[i - 1] sorted[i]) (iota n))
     , and (map2 (\s (key, x) -> s == f32.u32 key + x) sums sorted)
     , and (map2 (\(a, b) (key, _) -> a == key && b == key) again sorted)
     )
