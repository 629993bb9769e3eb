-- A field of a piped value has its sizes before a loop or a branch compares them.

-- ==
-- entry: rest
-- input { [1, 2, 3, 5] } output { [5] }
-- input { [2] } output { [2] }

entry rest (xs: []i32) =
  loop ys = xs
  while length ys > 1 do
    let (_, odd) = partition (\(x, _) -> x % 2 == 0) (zip ys (indices ys))
    let ys = unzip odd |> (.0)
    in drop 1 ys

-- ==
-- entry: count
-- input { [1, 2, 3, 5] } output { 1i64 }
-- input { empty([0]i32) } output { 0i64 }

entry count [n] (xs: [n]i32) =
  let ys =
    loop ys = xs
    while length ys > 1 do
      let b = tail ys
      in (b, b) |> (\p -> p.1)
  in length ys
