-- Module bool.
-- ==
-- entry: main
-- input { 5i64 }
-- output { [true, true, true, true, true, true, true, true, true, true, true, true] }
-- input { 0i64 }
-- output { [false, false, false, false, false, false, false, false, false, false, false, true] }
entry main (x: i64) : [12]bool =
  [ bool.i8 (i8.i64 x)
  , bool.i16 (i16.i64 x)
  , bool.i32 (i32.i64 x)
  , bool.i64 x
  , bool.u8 (u8.i64 x)
  , bool.u16 (u16.i64 x)
  , bool.u32 (u32.i64 x)
  , bool.u64 (u64.i64 x)
  , bool.f16 (f16.i64 x)
  , bool.f32 (f32.i64 x)
  , bool.f64 (f64.i64 x)
  , bool.bool true
  ]
