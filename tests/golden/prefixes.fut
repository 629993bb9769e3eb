-- What a filter keeps is handed to the next step of a loop as it is; rows that are as long as what
-- is wanted of them are not copied either.

entry main [n] (xs: [n]i32) (k: i64) : []i32 =
  let ys = loop ys = xs for i < k do filter (\y -> y % 3 != i32.i64 i) ys
  let m = length ys / 8
  in flatten (map (\row -> take 4 (scan (+) 0 row)) (unflatten (ys[:m * 8] :> [m * 8]i32)))
