-- Sorting. Radix sorts of unsigned integers, digit by digit, are behind all of them but merging:
-- `radix_sort_*` define the result, and the gpu engine, which finds them by name, has its own code.
-- All sorts are stable.

-- | The keys with the values beside them, stably ordered by one digit of the keys, which is below 256.
def radix_pass_by [n] 'k 'v (digit: k -> i64) (keys: [n]k) (values: [n]v) : *([n]k, [n]v) =
  let counts =
    loop counts = replicate 256 0i64
    for i < n do
      let d = digit keys[i]
      in counts with [d] = counts[d] + 1
  let (starts, _) =
    loop (starts, sum) = (replicate 256 0i64, 0)
    for d < 256 do
      (starts with [d] = sum, sum + counts[d])
  let (ks, vs, _) =
    loop (ks, vs, next) = (#[scratch] copy keys, #[scratch] copy values, starts)
    for i < n do
      let d = digit keys[i]
      let at = next[d]
      in (ks with [at] = keys[i], vs with [at] = values[i], next with [d] = at + 1)
  in (ks, vs)

-- | The keys in order, and the values in the order of their keys.
def radix_sort_u8 [n] 'v (keys: [n]u8) (values: [n]v) : *([n]u8, [n]v) =
  radix_pass_by i64.u8 keys values

-- | The keys in order, and the values in the order of their keys.
def radix_sort_u16 [n] 'v (keys: [n]u16) (values: [n]v) : *([n]u16, [n]v) =
  let digit d k = i64.u16 ((k >> u16.i32 (8 * d)) & 255)
  let (ks, vs) = radix_pass_by (digit 0) keys values
  in loop (ks, vs) for d < 1 do radix_pass_by (digit (d + 1)) ks vs

-- | The keys in order, and the values in the order of their keys.
def radix_sort_u32 [n] 'v (keys: [n]u32) (values: [n]v) : *([n]u32, [n]v) =
  let digit d k = i64.u32 ((k >> u32.i32 (8 * d)) & 255)
  let (ks, vs) = radix_pass_by (digit 0) keys values
  in loop (ks, vs) for d < 3 do radix_pass_by (digit (d + 1)) ks vs

-- | The keys in order, and the values in the order of their keys.
def radix_sort_u64 [n] 'v (keys: [n]u64) (values: [n]v) : *([n]u64, [n]v) =
  let digit d k = i64.u64 ((k >> u64.i32 (8 * d)) & 255)
  let (ks, vs) = radix_pass_by (digit 0) keys values
  in loop (ks, vs) for d < 7 do radix_pass_by (digit (d + 1)) ks vs

-- | Values back in rows of `m` elements. `rows`: to which each belongs.
def back_in_rows [n] 'v (m: i64) (rows: [n]u32) (values: [n]v) : [n]v =
  let count = n / i64.max 1 m
  in if count <= 256
     then (radix_sort_u8 (map u8.u32 rows) values).1
     else if count <= 65536
     then (radix_sort_u16 (map u16.u32 rows) values).1
     else (radix_sort_u32 rows values).1

-- | `radix_sort_u8` of each row of `m` elements. Core calls it where a nest sorts its rows.
def radix_sort_rows_u8 [n] 'v (keys: [n]u8) (values: [n]v) (m: i64) : ([n]u8, [n]v) =
  let rows = map (\i -> u32.i64 (i / i64.max 1 m)) (iota n)
  let (ks, others) = radix_sort_u8 keys (zip rows values)
  let (rows, vs) = unzip others
  in unzip (back_in_rows m rows (zip ks vs))

-- | `radix_sort_u16` of each row of `m` elements. Core calls it where a nest sorts its rows.
def radix_sort_rows_u16 [n] 'v (keys: [n]u16) (values: [n]v) (m: i64) : ([n]u16, [n]v) =
  let rows = map (\i -> u32.i64 (i / i64.max 1 m)) (iota n)
  let (ks, others) = radix_sort_u16 keys (zip rows values)
  let (rows, vs) = unzip others
  in unzip (back_in_rows m rows (zip ks vs))

-- | `radix_sort_u32` of each row of `m` elements. Core calls it where a nest sorts its rows.
def radix_sort_rows_u32 [n] 'v (keys: [n]u32) (values: [n]v) (m: i64) : ([n]u32, [n]v) =
  let rows = map (\i -> u32.i64 (i / i64.max 1 m)) (iota n)
  let (ks, others) = radix_sort_u32 keys (zip rows values)
  let (rows, vs) = unzip others
  in unzip (back_in_rows m rows (zip ks vs))

-- | `radix_sort_u64` of each row of `m` elements. Core calls it where a nest sorts its rows.
def radix_sort_rows_u64 [n] 'v (keys: [n]u64) (values: [n]v) (m: i64) : ([n]u64, [n]v) =
  let rows = map (\i -> u32.i64 (i / i64.max 1 m)) (iota n)
  let (ks, others) = radix_sort_u64 keys (zip rows values)
  let (rows, vs) = unzip others
  in unzip (back_in_rows m rows (zip ks vs))

-- | Where the smallest element stands, the next one, and so on; equal ones in the order they stand in.
def merge_order [n] 'a ((<=): a -> a -> bool) (xs: [n]a) : [n]i64 =
  let (order, _) =
    loop (order, width) = (iota n, 1)
    while width < n do
      -- How many of a run come before x: those that are less, and with `or_equal` those that are equal.
      let before run x or_equal =
        let start = i64.min n (run * width)
        let end = i64.min n (start + width)
        let (lo, _) =
          loop (lo, hi) = (start, end)
          while lo < hi do
            let middle = (lo + hi) / 2
            let y = xs[order[middle]]
            let comes = if or_equal then y <= x else !(x <= y)
            in if comes then (middle + 1, hi) else (lo, middle)
        in lo - start
      let place i =
        let run = i / width
        let is_right = run % 2 == 1
        let other = if is_right then run - 1 else run + 1
        let pair = (run - run % 2) * width
        in pair + (i - run * width) + before other xs[order[i]] is_right
      in (scatter (#[scratch] copy order) (map place (iota n)) order, width * 2)
  in order

-- | The elements in order, by merging longer and longer runs; `(<=)` is a total order.
def merge_sort [n] 'a ((<=): a -> a -> bool) (xs: [n]a) : *[n]a =
  map (\i -> xs[i]) (merge_order (<=) xs)

-- | The elements in the order of their keys, by merging longer and longer runs.
def merge_sort_by_key [n] 'a 'k (key: a -> k) ((<=): k -> k -> bool) (xs: [n]a) : *[n]a =
  map (\i -> xs[i]) (merge_order (<=) (map key xs))

-- | An unsigned number that is as much greater as the integer is.
def order_i8 (x: i8) : u8 = u8.i8 x ^ (1 << 7)

-- | The integer with this `order_i8`.
def unorder_i8 (key: u8) : i8 = i8.u8 (key ^ (1 << 7))

-- | An unsigned number that is as much greater as the integer is.
def order_i16 (x: i16) : u16 = u16.i16 x ^ (1 << 15)

-- | The integer with this `order_i16`.
def unorder_i16 (key: u16) : i16 = i16.u16 (key ^ (1 << 15))

-- | An unsigned number that is as much greater as the integer is.
def order_i32 (x: i32) : u32 = u32.i32 x ^ (1 << 31)

-- | The integer with this `order_i32`.
def unorder_i32 (key: u32) : i32 = i32.u32 (key ^ (1 << 31))

-- | An unsigned number that is as much greater as the integer is.
def order_i64 (x: i64) : u64 = u64.i64 x ^ (1 << 63)

-- | The integer with this `order_i64`.
def unorder_i64 (key: u64) : i64 = i64.u64 (key ^ (1 << 63))

-- | An unsigned number that is greater where the float is: the sign in front, negative ones reversed.
def order_f16 (x: f16) : u16 =
  let bits = f16.to_bits x
  in if bits >> 15 == 1 then !bits else bits | (1 << 15)

-- | The float with this `order_f16`.
def unorder_f16 (key: u16) : f16 =
  f16.from_bits (if key >> 15 == 1 then key ^ (1 << 15) else !key)

-- | An unsigned number that is greater where the float is: the sign in front, negative ones reversed.
def order_f32 (x: f32) : u32 =
  let bits = f32.to_bits x
  in if bits >> 31 == 1 then !bits else bits | (1 << 31)

-- | The float with this `order_f32`.
def unorder_f32 (key: u32) : f32 =
  f32.from_bits (if key >> 31 == 1 then key ^ (1 << 31) else !key)

-- | An unsigned number that is greater where the float is: the sign in front, negative ones reversed.
def order_f64 (x: f64) : u64 =
  let bits = f64.to_bits x
  in if bits >> 63 == 1 then !bits else bits | (1 << 63)

-- | The float with this `order_f64`.
def unorder_f64 (key: u64) : f64 =
  f64.from_bits (if key >> 63 == 1 then key ^ (1 << 63) else !key)
