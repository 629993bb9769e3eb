-- A dynamic program fills a table row by row: the kernel of a row reads the table's other rows, and
-- stores the row where it lies, where no workgroup does all steps.

entry main [n] [m] (costs: [n][m]i32) : [n][m]i32 =
  loop table = copy costs
  for i < n do
    table with [i] = tabulate m (\j ->
                                   if i == 0
                                   then costs[0, j]
                                   else costs[i, j] + i32.min table[i - 1, j] table[i - 1, i64.max 0 (j - 1)])
