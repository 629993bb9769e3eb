-- Pipes, sections of named operators, backticks and user operators.
-- tolerance: exact
-- ==
-- input { [1i32, 2i32, 3i32] }
-- output { 12i32 7i32 [2i32, 3i32, 4i32] 25i32 }
def (+^) (a: i32) (b: i32) : i32 = a * a + b * b
def plus (a: i32) (b: i32) : i32 = a + b

entry main [n] (a: [n]i32) : (i32, i32, [n]i32, i32) =
  (a |> map (* 2) |> reduce (+) 0, 3 `plus` 4, map (i32.+ 1) a, 3 +^ 4)
