-- Indices one after another are indices of one array; in a section, too, with or without a dot.
-- ==
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] 1i64 }
-- output { [[[1, 2], [3, 9]], [[5, 6], [7, 8]]] [7, 8] [5, 6] [[1, 0], [3, 4]] }
entry main (cube: *[2][2][2]i32) (i: i64) =
  let cube = cube with [0][i][1] = 9
  let boxed = {rows = cube}
  let square = copy cube[0] with [0][1] = 0 with [1, 1] = 4
  in (cube, (.rows.[i][1]) boxed, (.rows[i].[0]) boxed, square)
