-- Lengths that cost nothing to know come first; the segments and what shares work with them are made
-- once, in a loop that knows their places.
entry main [n] (xs: [n]i64) : ([]i64, [n]i64, [n]i64) =
  let (_, _, _, data, (sums, squares)) =
    flatmap (\x -> let part = map (\i -> i / x) (iota x) in (part, (i64.sum part, x * x))) xs
    |> \(a, b, c, d, e) -> (a, b, c, d, unzip e)
  in (data, sums, squares)
