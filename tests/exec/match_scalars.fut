-- Literals of every kind, the largest and negative ones.
-- tolerance: exact
-- ==
-- input { [3u8, 200u8] 70000i32 }
-- output { [2i32, 3i32] 2i32 1i32 3i32 3i32 1i32 10i32 30i32 true }
entry main [n] (xs: [n]u8) (k: i32) =
  let name (c: u8) = match c case 'a' -> 1i32 case 3 -> 2 case 200 -> 3 case _ -> 4
  let f (x: f64) = match x case 1.0 -> 1i32 case 0.5 -> 2 case _ -> 3
  let b (x: bool) (y: bool) = match (x, y) case (true, true) -> 3i32 case (false, true) -> 2 case (true, false) -> 1 case (false, false) -> 0
  let g (x: i64) = match x case -1 -> 10i32 case 9223372036854775807 -> 20 case _ -> 30
  in (map name xs, f 0.5, f 1, f 2, b true true, b (k > 5) false, g (-1), g (i64.i32 k), match k case 70000 -> true case _ -> false)
