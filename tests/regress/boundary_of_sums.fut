-- The constant outside of an array of sums is a constructor, whose parts windows and `pad` take one
-- by one.
-- ==
-- entry: stencil_1
-- input { [1f64, 2f64, 3f64] } output { [-5.5f64, 2.0f64, -7.5f64] }
-- ==
-- entry: stencil_2
-- input { [[1f32, 2f32]] } output { [[16.5f32, 17.5f32]] }
-- ==
-- entry: padded
-- input { [7i32] } output { [5i32, 5i32, 7i32, 2i32] [1i32, 1i32, 7i32, 6i32] }
-- ==
-- entry: chosen
-- input { 0i32 [7i32, 9i32] } output { [-13i32, -11i32] }
-- input { 1i32 [7i32, 9i32] } output { [0i32, 2i32] }
type number = #whole i32 | #half f32 | #full f64
type nested = #none | #some number i32

def value (x: number) : f64 =
  match x case #whole i -> f64.i32 i case #half r -> f64.f32 r case #full d -> d

entry stencil_1 [n] (xs: [n]f64) : [n]f64 =
  let of (_: i64) (a: [3]number) = value a[0] + value a[2] - value a[1] * 2
  let sums = map (\x -> #full x) xs
  in map2 (+) xs (stencil_1d_with (#constant (#half (-6.5))) [-1, 0, 1] of (iota n) sums)

entry stencil_2 [n] [m] (xs: [n][m]f32) : [n][m]f32 =
  let of (c: f32) (a: [2]nested) =
    c + f32.sum (map (\s -> match s case #none -> 7 case #some x i -> f32.f64 (value x) + f32.i32 i) a)
  let outside: (boundary nested, boundary nested) = (#constant (#some (#half 5.5) 3), #constant #none)
  in stencil_2d_with outside [(-1, 0), (0, 3)] of xs (map (map (\x -> #some (#half x) 1)) xs)

entry padded [n] (xs: [n]i32) : ([]i32, []i32) =
  let tell (x: nested) = match x case #none -> 2 case #some y i -> i + i32.f64 (value y)
  let sums = map (\x -> #some (#whole x) 0) xs
  in ( map tell (pad_1d 2 0 (#constant (#some (#half 2) 3)) sums ++ [#none])
     , map tell (pad_1d 2 0 (#constant (#some (#full 1) 0)) sums ++ [#some (#whole 4) 2])
     )

entry chosen [n] (k: i32) (xs: [n]i32) : [n]i32 =
  let outside: boundary number = if k == 0 then #constant (#whole 20) else #clamp
  let of (c: i32) (a: [2]number) = i32.f64 (value a[1] - value a[0]) + c - c
  in stencil_1d_with outside [-5, 0] of xs (map (\x -> #whole x) xs)
