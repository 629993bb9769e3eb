-- What has one size in each branch has one size after them, though each branch has another.
-- ==
-- input { true } output { [5, 7, 9] [4, 5, 6] 9i64 }
-- input { false } output { [4, 6] [3, 4] 4i64 }
entry main (b: bool) =
  let (xs, ys) = if b then ([1, 2, 3], [4, 5, 6]) else ([1, 2], [3, 4])
  let square =
    match b
    case true -> replicate 3 (replicate 3 1)
    case false -> replicate 2 (replicate 2 1)
  in (map2 (+) xs ys, ys, length (flatten (map2 (map2 (+)) square (transpose square))))
