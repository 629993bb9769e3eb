-- sum, product, maximum, minimum of the modules, with their neutral elements.
-- tolerance: exact
-- ==
-- input { [3i32, -1i32, 4i32] [0.5f32, 2.0f32] }
-- output { 6i32 -12i32 4i32 -1i32 2.5f32 2.0f32 0.5f32 3i64 }
-- ==
-- input { empty([0]i32) empty([0]f32) }
-- output { 0i32 1i32 -2147483648i32 2147483647i32 0.0f32 -f32.inf f32.inf 0i64 }
entry main [n] [m] (a: [n]i32) (b: [m]f32) =
  ( i32.sum a
  , i32.product a
  , i32.maximum a
  , i32.minimum a
  , f32.sum b
  , f32.maximum b
  , f32.minimum b
  , length a
  )
