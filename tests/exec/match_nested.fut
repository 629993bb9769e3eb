-- Patterns inside patterns; the first case that fits counts.
-- tolerance: exact
-- ==
-- input { 0i32 0i32 } output { 1i32 }
-- ==
-- input { 0i32 3i32 } output { 203i32 }
-- ==
-- input { 1i32 0i32 } output { 301i32 }
-- ==
-- input { 1i32 1i32 } output { 42i32 }
-- ==
-- input { 1i32 2i32 } output { 12i32 }
type inner = #a | #b i32
type outer = #x inner inner | #y (inner, i32)

def inner (k: i32) : inner = if k == 0 then #a else #b k
def outer (i: i32) (j: i32) : outer = if i == 0 then #x #a (inner j) else #y (inner j, i)

entry main (i: i32) (j: i32) : i32 =
  match outer i j
  case #x #a #a -> 1
  case #x (#b _) #a -> 100
  case #x _ (#b n) -> 200 + n
  case #y (#a, n) -> 300 + n
  case #y (#b 1, _) -> 42
  case #y (#b n, m) -> 10 * m + n
