-- Arrays of sums, sums of arrays.
-- ==
-- input { [1, -2, 3] }
-- output { [2, 0, 4] 2i64 3 }
type opt 'a = #some a | #none
def step (x: i32) : opt i32 = if x > 0 then #some (x + 1) else #none
def value (x: opt i32) : i32 = match x case #some y -> y case #none -> 0
def count [n] (x: #all ([n]i32) | #few) : i64 = match x case #all xs -> length (filter (> 0) xs) case #few -> 0

def main [n] (xs: [n]i32) : ([n]i32, i64, i32) =
  let opts = map step xs
  let last = match opts[n - 1] case #some _ -> 3i32 case #none -> 4
  in (map value opts, count (#all xs), last)
