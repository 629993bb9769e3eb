-- Local functions with type and size parameters, and with functions as results.
-- tolerance: exact
-- ==
-- input { 3i32 [1i32, 2i32] }
-- output { [16i32, 17i32] [3i32, 3i32] [true, true] 4i64 }
entry main [n] (x: i32) (xs: [n]i32) =
  let f (y: i32): i32 -> i32 = let z = y * x in \w -> w + z
  let rep 'a (k: i64) (v: a): [k]a = replicate k v
  let len [m] 'a (_: [m]a): i64 = m
  let comp = f 2 >-> f 3
  let g = map comp
  in (g xs, rep 2 x, rep (len xs) true, len (rep 4 (rep 3 0u8)))
