-- Loops that carry sums.
-- tolerance: exact
-- ==
-- input { 3i32 [1i32, 5i32] }
-- output { [5i32, 1i32, 3i32] 40i32 4i32 }
entry main [n] (k: i32) (xs: [n]i32) =
  let r =
    loop (acc: (#none | #one i32 | #many [3]i32)) = #none
    for x in xs do
      match acc case #none -> #one x case #one y -> #many [x, y, k] case #many a -> #many (map (+ x) a)
  let s =
    loop (st, i) = ((#go : #go | #stop i32), 0i32)
    while (match st case #go -> true case #stop _ -> false) do
      if i > k then (#stop (i * 10), i) else (#go, i + 1)
  in (match r case #none -> [0, 0, 0] case #one y -> [y, y, y] case #many a -> a, match s.0 case #stop v -> v case #go -> 0, s.1)
