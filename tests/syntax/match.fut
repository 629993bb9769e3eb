-- Patterns of every kind; the cases behind an inner `match` are its own.
-- ==
-- input { 3 } output { 30 1 4 12 5 }
def literal (x: i32): i32 =
  match x
  case 'a' -> 1
  case -1 -> 2
  case 0x3 -> 30
  case _ -> 4
def real (x: f32): i32 = match x case -2.5f32 -> 1 case 1e3 -> 2 case _ -> 3
def both (x: i32) (y: bool): i32 =
  match (x, y)
  case (1, true) -> 1
  case (3, y') ->
    (match y'
     case true -> 2
     case false -> 4)
  case (_, _) -> 3
def record (r: {a: #b i32 | #c, d: i32}): i32 =
  match r
  case {a = #b (e: i32), d} -> e + d
  case #[unused] {a = #c, d} -> d
def inner (x: i32): i32 =
  match x
  case 1 -> 7
  case y -> match y + 1
            case 4 -> 5
            case _ -> 6
def main (x: i32) =
  (literal x, real (-2.5), both x false, record {a = #b (x * 3), d = x}, inner x)
