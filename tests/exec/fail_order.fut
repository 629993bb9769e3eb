-- Of several failures the first in order counts: left before right, condition before branch.
-- ==
-- input { 0i32 [1i32] }
-- error: division by zero.*H7003
-- ==
-- input { 1i32 [1i32] }
-- error: `\[5.`.*H7001
entry main [n] (x: i32) (a: [n]i32) : i32 = 10 / x + a[5]
