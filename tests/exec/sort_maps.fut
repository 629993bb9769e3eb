-- Maps around sorts are parts of their kernels: keys made of one element, of several, of all that
-- goes along and of some of it, of nothing that does; results that are not the keys. Forced
-- variants: tests/CMakeLists.txt.

def words (n: i64) : [n]u32 = map (\i -> u32.i64 (i * 7919 % 1000)) (iota n)
def parts (n: i64) : [n]f32 = map (\i -> f32.i64 ((i * 31) % 17) - 5) (iota n)
def longs (n: i64) : [n]i64 = map (\i -> (i * 7919) % 30011 - 1000) (iota n)

-- Loops keep apart what makes the elements.
-- ==
-- entry: keys_around keys_again keys_swapped keys_of_both keys_of_second keys_alone keys_kept finished all_types
-- input { 0i64 1i32 }
-- input { 1i64 2i32 }
-- input { 300i64 2i32 }
-- input { 7001i64 1i32 }
entry keys_around (n: i64) (times: i32) : [n]i32 =
  let is = iota n
  in loop xs = map i32.i64 (longs n)
     for _i < times do
       map (.0) (i64.sort_by_key (\(x, i) -> i64.i32 x - i) (zip xs is))

entry keys_again (n: i64) (times: i32) : ([n]u32, [n]f32) =
  let start = zip (words n) (parts n)
  in unzip (loop xs = start for _i < times do u32.sort_by_key (\(k, _) -> k * 2654435761) xs)

entry keys_swapped (n: i64) (times: i32) : ([n]f32, [n]u32) =
  let start = zip (parts n) (words n)
  in unzip (loop xs = start for _i < times do u32.sort_by_key (\(_, k) -> k * 2654435761) xs)

entry keys_of_both (n: i64) (times: i32) : ([n]u32, [n]f32) =
  let start = zip (words n) (parts n)
  in unzip (loop xs = start for _i < times do f32.sort_by_key (\(a, b) -> b * f32.u32 a) xs)

entry keys_of_second (n: i64) (times: i32) : ([n]i16, [n]u32) =
  let start = zip (map i16.u32 (words n)) (words n)
  in unzip (loop xs = start for _i < times do i64.sort_by_key (\(_, b) -> -(i64.u32 b)) xs)

entry keys_alone (n: i64) (times: i32) : [n]i64 =
  loop xs = longs n for _i < times do u16.sort_by_key (\x -> u16.i64 (x * 3)) xs

entry keys_kept (n: i64) (times: i32) : ([n]u32, [n]f32) =
  let start = zip (words n) (parts n)
  in unzip (loop xs = start
            for _i < times do
              u32.sort_by_key (.0) (map (\(k, v) -> (k * 2654435761, v)) xs))

entry finished (n: i64) (times: i32) : [n]f32 =
  loop xs = parts n for _i < times do f32.sort (map (\x -> f32.abs (x * 1.3)) xs)

entry all_types (n: i64) (times: i32) : ([n]i8, [n]i16, [n]u16, [n]i32, [n]i64, [n]f64, [n]u8) =
  let xs = longs n
  let start =
    (map i8.i64 xs, map i16.i64 xs, map u16.i64 xs, map i32.i64 xs, xs, map f64.i64 xs, map u8.i64 xs)
  in loop (a, b, c, d, e, f, g) = start
     for _i < times do
       ( i8.sort a
       , i16.sort b
       , u16.sort (map (* 3) c)
       , i32.sort d
       , i64.sort e
       , f64.sort (map f64.abs f)
       , u8.sort (map (* 3) g)
       )

-- Several maps gather by one order: keys and values, keys twice, elements that are too large to go along, by what is
-- computed of gathered ones; an order that is a result as well.
-- ==
-- entry: groups gathered_twice gathered_large order_kept
-- input { 0i64 }
-- input { 7001i64 }
entry groups (n: i64) = group_by f32.sort_order (==) (parts n) (map i16.i64 (longs n))

entry gathered_twice (n: i64) : ([n]u32, [n]i32, [n]f32) =
  let (xs, ys) = (words n, parts n)
  let order = u32.sort_order xs
  let zs = map (\i -> xs[i] + 1) order
  in (zs, scan (+) 0 (map (\i -> i32.u32 xs[i]) order), map (\i -> ys[i] * 2) order)

entry gathered_large (n: i64) : ([n]u32, [n]i64, [n]i64) =
  let (xs, ys) = (words n, longs n)
  let order = u32.sort_order xs
  let sums = scan (+) 0 (map (\i -> ys[i]) order)
  in (map (\i -> xs[i]) order, sums, map (\i -> sums[i]) order)

entry order_kept (n: i64) : ([n]i64, [n]f32) =
  let ys = parts n
  let order = u32.sort_order (words n)
  in (order, map (\i -> ys[i]) order)
