-- A record with numbers for names is a tuple, however many fields it has.
-- ==
-- input { 1 } output { 11 3 }
entry main (x: i32) =
  let (_, _, c, _, _, _, _, _, _, _, l) =
    {0 = x, 1 = x + 1, 2 = x + 2, 3 = x, 4 = x, 5 = x, 6 = x, 7 = x, 8 = x, 9 = x, 10 = x + 10}
  in (l, c)
