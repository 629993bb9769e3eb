-- The modules of scalar types fit the module types of the prelude.
-- tolerance: 1e-6
-- ==
-- input { 2f32 } output { 1.41421356f32 3i32 true }
module a : float with t = f32 with int_t = u32 = f32
module b : float with t = f64 with int_t = u64 = f64
module c : float with t = f16 with int_t = u16 = f16
module i1 : integral with t = i8 = i8
module i2 : integral with t = i16 = i16
module i3 : integral with t = i32 = i32
module i4 : integral with t = i64 = i64
module u1 : integral with t = u8 = u8
module u2 : integral with t = u16 = u16
module u3 : integral with t = u32 = u32
module u4 : integral with t = u64 = u64
module bo : from_prim with t = bool = bool
module norm (T: real) = {def two = T.(i32 1 + from_fraction 1 1) def root (x: T.t) = T.sqrt x def big = T.(highest > lowest && two == i64 2)}
module n32 = norm f32
module n16 = norm f16
module count (I: integral) = {def f (x: I.t) = I.popc (I.(x | i32 3))}
module c8 = count u8
entry main (x: f32) = (n32.root x, c8.f 4, n16.big)
