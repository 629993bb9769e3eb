-- Literal patterns of every kind, in tuples and records, also negative ones and several at once.
-- tolerance: exact
-- ==
-- input { 1i32 true 97u8 2.5f32 } output { 1i32 10i32 100i32 1000i32 }
-- ==
-- input { -1i32 false 98u8 3.5f32 } output { 2i32 20i32 200i32 2000i32 }
-- ==
-- input { 7i32 true 99u8 0f32 } output { 3i32 30i32 300i32 3000i32 }
entry main (a: i32) (b: bool) (c: u8) (d: f32) =
  let first = match a case 1 -> 1i32 case -1 -> 2 case _ -> 3
  let second =
    match (a, b)
    case (1, true) -> 10i32
    case (_, false) -> 20
    case (_, _) -> 30
  let third =
    match {x = c, y = a}
    case {x = 'a', y = _} -> 100i32
    case {x = 'b', y = y} -> 200 + y + 1
    case {x = _, y = 8} -> 0
    case _ -> 300
  let fourth = match d case 2.5 -> 1000i32 case 3.5 -> 2000 case _ -> 3000
  in (first, second, third, fourth)
