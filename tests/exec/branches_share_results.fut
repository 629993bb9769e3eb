-- Results that a pass has found equal are one array: none of them may change in place.
-- ==
-- entry: branch
-- input { true } output { [42, 0] [0, 0] }
-- input { false } output { [42, 1] [1, 1] }
-- ==
-- entry: looped
-- input { 3i64 3 } output { [9, 2, 2] [2, 2, 2] }
-- input { 3i64 0 } output { [9, 0, 0] [0, 0, 0] }
-- ==
-- entry: carried
-- input { 3i64 3 } output { [2, 2, 2] [2, 2, 2] 14 }
-- ==
-- entry: called
-- input { 3i64 } output { [9, 0, 0] [0, 0, 0] }
-- ==
-- entry: matched
-- input { 0 } output { [9, 1] [1, 1] }
-- input { 1 } output { [9, 2] [2, 2] }
-- input { 2 } output { [9, 3] [3, 3] }
entry branch (b: bool) : ([]i32, []i32) =
  let (xs, ys) =
    if b then (replicate 2 0, replicate 2 0) else (replicate 2 1, replicate 2 1)
  let xs[0] = 42
  in (xs, ys)

entry looped (n: i64) (k: i32) =
  let (xs, ys) =
    loop (a, b) = (replicate n 0, replicate n 0)
    for i < k do
      (replicate n i, replicate n i)
  let xs[0] = 9
  in (xs, ys)

entry carried (n: i64) (k: i32) =
  loop (a, b, s) = (replicate n 0, replicate n 0, 0)
  for i < k do
    let a[0] = 7 + i
    let s = s + b[0] + a[0] + b[0] - 4
    in (replicate n i, replicate n i, s)

#[noinline]
def two (n: i64) : (*[n]i32, *[n]i32) = (replicate n 0, replicate n 0)

entry called (n: i64) =
  let (xs, ys) = two n
  let xs[0] = 9
  in (xs, ys)

entry matched (k: i32) =
  let (xs, ys) =
    match k
    case 0 -> (replicate 2 1, replicate 2 1)
    case 1 -> (replicate 2 2, replicate 2 2)
    case _ -> (replicate 2 3, replicate 2 3)
  let xs[0] = 9
  in (xs, ys)
