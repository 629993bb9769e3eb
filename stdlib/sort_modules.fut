-- The modules of numbers in full: sorting by the radix sorts of sort.fut.

-- | Operations on `i8`.
module i8 = {
  open i8

  -- | The elements in order.
  def sort [n] (xs: [n]i8) : *[n]i8 =
    let (keys, _) = radix_sort_u8 (map order_i8 xs) (rep ())
    in map unorder_i8 keys

  -- | Where the smallest element stands, the next one, and so on; equal ones in the order they stand in.
  def sort_order [n] (xs: [n]i8) : *[n]i64 =
    let (_, order) = radix_sort_u8 (map order_i8 xs) (iota n)
    in order

  -- | The elements in the order of their keys.
  def sort_by_key [n] 'a (key: a -> i8) (xs: [n]a) : *[n]a =
    map (\i -> xs[i]) (sort_order (map key xs))
}

-- | Operations on `i16`.
module i16 = {
  open i16

  -- | The elements in order.
  def sort [n] (xs: [n]i16) : *[n]i16 =
    let (keys, _) = radix_sort_u16 (map order_i16 xs) (rep ())
    in map unorder_i16 keys

  -- | Where the smallest element stands, the next one, and so on; equal ones in the order they stand in.
  def sort_order [n] (xs: [n]i16) : *[n]i64 =
    let (_, order) = radix_sort_u16 (map order_i16 xs) (iota n)
    in order

  -- | The elements in the order of their keys.
  def sort_by_key [n] 'a (key: a -> i16) (xs: [n]a) : *[n]a =
    map (\i -> xs[i]) (sort_order (map key xs))
}

-- | Operations on `i32`.
module i32 = {
  open i32

  -- | The elements in order.
  def sort [n] (xs: [n]i32) : *[n]i32 =
    let (keys, _) = radix_sort_u32 (map order_i32 xs) (rep ())
    in map unorder_i32 keys

  -- | Where the smallest element stands, the next one, and so on; equal ones in the order they stand in.
  def sort_order [n] (xs: [n]i32) : *[n]i64 =
    let (_, order) = radix_sort_u32 (map order_i32 xs) (iota n)
    in order

  -- | The elements in the order of their keys.
  def sort_by_key [n] 'a (key: a -> i32) (xs: [n]a) : *[n]a =
    map (\i -> xs[i]) (sort_order (map key xs))
}

-- | Operations on `i64`.
module i64 = {
  open i64

  -- | The elements in order.
  def sort [n] (xs: [n]i64) : *[n]i64 =
    let (keys, _) = radix_sort_u64 (map order_i64 xs) (rep ())
    in map unorder_i64 keys

  -- | Where the smallest element stands, the next one, and so on; equal ones in the order they stand in.
  def sort_order [n] (xs: [n]i64) : *[n]i64 =
    let (_, order) = radix_sort_u64 (map order_i64 xs) (iota n)
    in order

  -- | The elements in the order of their keys.
  def sort_by_key [n] 'a (key: a -> i64) (xs: [n]a) : *[n]a =
    map (\i -> xs[i]) (sort_order (map key xs))
}

-- | Operations on `u8`.
module u8 = {
  open u8

  -- | The elements in order.
  def sort [n] (xs: [n]u8) : *[n]u8 =
    let (keys, _) = radix_sort_u8 xs (rep ())
    in keys

  -- | Where the smallest element stands, the next one, and so on; equal ones in the order they stand in.
  def sort_order [n] (xs: [n]u8) : *[n]i64 =
    let (_, order) = radix_sort_u8 xs (iota n)
    in order

  -- | The elements in the order of their keys.
  def sort_by_key [n] 'a (key: a -> u8) (xs: [n]a) : *[n]a =
    map (\i -> xs[i]) (sort_order (map key xs))
}

-- | Operations on `u16`.
module u16 = {
  open u16

  -- | The elements in order.
  def sort [n] (xs: [n]u16) : *[n]u16 =
    let (keys, _) = radix_sort_u16 xs (rep ())
    in keys

  -- | Where the smallest element stands, the next one, and so on; equal ones in the order they stand in.
  def sort_order [n] (xs: [n]u16) : *[n]i64 =
    let (_, order) = radix_sort_u16 xs (iota n)
    in order

  -- | The elements in the order of their keys.
  def sort_by_key [n] 'a (key: a -> u16) (xs: [n]a) : *[n]a =
    map (\i -> xs[i]) (sort_order (map key xs))
}

-- | Operations on `u32`.
module u32 = {
  open u32

  -- | The elements in order.
  def sort [n] (xs: [n]u32) : *[n]u32 =
    let (keys, _) = radix_sort_u32 xs (rep ())
    in keys

  -- | Where the smallest element stands, the next one, and so on; equal ones in the order they stand in.
  def sort_order [n] (xs: [n]u32) : *[n]i64 =
    let (_, order) = radix_sort_u32 xs (iota n)
    in order

  -- | The elements in the order of their keys.
  def sort_by_key [n] 'a (key: a -> u32) (xs: [n]a) : *[n]a =
    map (\i -> xs[i]) (sort_order (map key xs))
}

-- | Operations on `u64`.
module u64 = {
  open u64

  -- | The elements in order.
  def sort [n] (xs: [n]u64) : *[n]u64 =
    let (keys, _) = radix_sort_u64 xs (rep ())
    in keys

  -- | Where the smallest element stands, the next one, and so on; equal ones in the order they stand in.
  def sort_order [n] (xs: [n]u64) : *[n]i64 =
    let (_, order) = radix_sort_u64 xs (iota n)
    in order

  -- | The elements in the order of their keys.
  def sort_by_key [n] 'a (key: a -> u64) (xs: [n]a) : *[n]a =
    map (\i -> xs[i]) (sort_order (map key xs))
}

-- | Operations on `f16`.
module f16 = {
  open f16

  -- | The elements in order: -inf to inf, -0 before 0, NaN at the ends, by its sign.
  def sort [n] (xs: [n]f16) : *[n]f16 =
    let (keys, _) = radix_sort_u16 (map order_f16 xs) (rep ())
    in map unorder_f16 keys

  -- | Where the smallest element stands, the next one, and so on; equal ones in the order they stand in.
  def sort_order [n] (xs: [n]f16) : *[n]i64 =
    let (_, order) = radix_sort_u16 (map order_f16 xs) (iota n)
    in order

  -- | The elements in the order of their keys: -inf to inf, -0 before 0, NaN at the ends, by its sign.
  def sort_by_key [n] 'a (key: a -> f16) (xs: [n]a) : *[n]a =
    map (\i -> xs[i]) (sort_order (map key xs))
}

-- | Operations on `f32`.
module f32 = {
  open f32

  -- | The elements in order: -inf to inf, -0 before 0, NaN at the ends, by its sign.
  def sort [n] (xs: [n]f32) : *[n]f32 =
    let (keys, _) = radix_sort_u32 (map order_f32 xs) (rep ())
    in map unorder_f32 keys

  -- | Where the smallest element stands, the next one, and so on; equal ones in the order they stand in.
  def sort_order [n] (xs: [n]f32) : *[n]i64 =
    let (_, order) = radix_sort_u32 (map order_f32 xs) (iota n)
    in order

  -- | The elements in the order of their keys: -inf to inf, -0 before 0, NaN at the ends, by its sign.
  def sort_by_key [n] 'a (key: a -> f32) (xs: [n]a) : *[n]a =
    map (\i -> xs[i]) (sort_order (map key xs))
}

-- | Operations on `f64`.
module f64 = {
  open f64

  -- | The elements in order: -inf to inf, -0 before 0, NaN at the ends, by its sign.
  def sort [n] (xs: [n]f64) : *[n]f64 =
    let (keys, _) = radix_sort_u64 (map order_f64 xs) (rep ())
    in map unorder_f64 keys

  -- | Where the smallest element stands, the next one, and so on; equal ones in the order they stand in.
  def sort_order [n] (xs: [n]f64) : *[n]i64 =
    let (_, order) = radix_sort_u64 (map order_f64 xs) (iota n)
    in order

  -- | The elements in the order of their keys: -inf to inf, -0 before 0, NaN at the ends, by its sign.
  def sort_by_key [n] 'a (key: a -> f64) (xs: [n]a) : *[n]a =
    map (\i -> xs[i]) (sort_order (map key xs))
}
