-- Ascriptions, attributes, shadowing; nothing of it changes a value.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32] }
-- output { [3i32, 4i32] 7i32 }
entry main [n] (a: [n]i32) : ([n]i32, i32) =
  let b: [n]i32 = #[sequential] map (\(x: i32) : i32 -> x + 2) (a : [n]i32)
  let x = 1i32
  let x = x + 2
  let f (x: i32) = x + 3
  in (b, (f (x + 1) : i32))
