-- Sorts as they are differentiated: `sort_ad_T` instead of `T.sort`, which works on bits. The elements
-- are moved; where to is no matter of derivatives.

-- | As `i8.sort`.
def sort_ad_i8 [n] (xs: [n]i8) : *[n]i8 = map (\i -> xs[i]) (i8.sort_order xs)

-- | As `i16.sort`.
def sort_ad_i16 [n] (xs: [n]i16) : *[n]i16 = map (\i -> xs[i]) (i16.sort_order xs)

-- | As `i32.sort`.
def sort_ad_i32 [n] (xs: [n]i32) : *[n]i32 = map (\i -> xs[i]) (i32.sort_order xs)

-- | As `i64.sort`.
def sort_ad_i64 [n] (xs: [n]i64) : *[n]i64 = map (\i -> xs[i]) (i64.sort_order xs)

-- | As `u8.sort`.
def sort_ad_u8 [n] (xs: [n]u8) : *[n]u8 = map (\i -> xs[i]) (u8.sort_order xs)

-- | As `u16.sort`.
def sort_ad_u16 [n] (xs: [n]u16) : *[n]u16 = map (\i -> xs[i]) (u16.sort_order xs)

-- | As `u32.sort`.
def sort_ad_u32 [n] (xs: [n]u32) : *[n]u32 = map (\i -> xs[i]) (u32.sort_order xs)

-- | As `u64.sort`.
def sort_ad_u64 [n] (xs: [n]u64) : *[n]u64 = map (\i -> xs[i]) (u64.sort_order xs)

-- | As `f16.sort`.
def sort_ad_f16 [n] (xs: [n]f16) : *[n]f16 = map (\i -> xs[i]) (f16.sort_order xs)

-- | As `f32.sort`.
def sort_ad_f32 [n] (xs: [n]f32) : *[n]f32 = map (\i -> xs[i]) (f32.sort_order xs)

-- | As `f64.sort`.
def sort_ad_f64 [n] (xs: [n]f64) : *[n]f64 = map (\i -> xs[i]) (f64.sort_order xs)
