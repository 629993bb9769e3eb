-- Branches and cases that give records and arrays of different sizes.
-- tolerance: exact
-- ==
-- input { true [1i32,2i32,3i32] }
-- output { [2i32, 3i32] [1i32, 1i32, 1i32] [1i32, 2i32, 3i32] 3i64 }
-- ==
-- input { false [1i32,2i32,3i32] }
-- output { [1i32, 2i32] [1i32, 2i32] [1i32] 1i64 }
entry main [n] (b: bool) (xs: [n]i32) =
  let {a, c} = if b then {a = xs[1:], c = #yes 3i32} else {a = xs[:n - 1], c = (#no : #yes i32 | #no)}
  let d = match c case #yes k -> replicate (i64.i32 k) 1i32 case #no -> a
  let (e, f) =
    match (b, xs[0])
    case (true, 1) -> (xs, length xs)
    case (_, z) -> ([z], 1)
  in (a, d, e, f)
