-- Each step changes a row of a table. One workgroup does all steps, with the table in shared memory
-- or, where it is too large, in the device's.

entry main [h] [w] (e: [h][w]i32) : [h][w]i32 =
  loop cost = copy e
  for i < h - 1 do
    let row = map2 i32.min cost[i] (rotate 1 cost[i])
    in cost with [i + 1] = map2 (+) row e[i + 1]
