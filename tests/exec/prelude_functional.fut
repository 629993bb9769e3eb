-- Functions about functions (docs/prelude.md, functional), and the deprecated wrappers.
-- ==
-- entry: main
-- input { 5i32 }
-- output { 6i32 10i32 12i32 11i32 -4i32 6i32 6i32 5i32 5i32 }
entry main (x: i32) : (i32, i32, i32, i32, i32, i32, i32, i32, i32) =
  let next y = y + 1
  let twice y = y * 2
  in ( x |> next
     , twice <| x
     , (next >-> twice) x
     , (next <-< twice) x
     , flip (-) x 1
     , curry (\(a, b) -> a + b) x 1
     , uncurry (+) (x, 1)
     , const x true
     , id x
     )

-- ==
-- entry: repeats
-- input { 3i32 } output { 24i32 48i32 96i32 }
-- input { 0i32 } output { 3i32 48i32 96i32 }
entry repeats (n: i32) : (i32, i32, i32) =
  (iterate n (* 2) 3, iterate_while (< 40) (* 2) 3, iterate_until (> 50) (* 2) 3)

-- ==
-- entry: wrappers
-- input { [1i32, 2i32] } output { [1i32, 2i32] [1i32, 2i32] [1i32, 2i32] }
entry wrappers [n] (xs: [n]i32) : ([n]i32, [n]i32, [n]i32) = (opaque xs, trace xs, break xs)

-- ==
-- entry: conversions
-- input { 7i32 2.9f32 -2.9f64 } output { 7f32 2i32 7f64 -2i32 false }
entry conversions (i: i32) (x: f32) (y: f64) : (f32, i32, f64, i32, bool) =
  (r32 i, t32 x, r64 i, t64 y, not true)
