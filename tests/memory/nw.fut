-- Needleman-Wunsch, cell by cell in one table.
-- in loops:
entry main [n] (a: [n]i32) (b: [n]i32) (penalty: i32) : [n + 1][n + 1]i32 =
  let first = tabulate_2d (n + 1) (n + 1) (\i j -> if i == 0 then -penalty * i32.i64 j else if j == 0 then -penalty * i32.i64 i else 0)
  in loop t = first
     for i in 1...n do
       loop t for j in 1...n do
         let same = t[i - 1, j - 1] + (if a[i - 1] == b[j - 1] then 1 else -1)
         in t with [i, j] = i32.max same (i32.max (t[i - 1, j] - penalty) (t[i, j - 1] - penalty))
