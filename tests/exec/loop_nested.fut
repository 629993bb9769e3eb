-- Nested loops with the outer variable in the inner bound.
-- tolerance: exact
-- ==
-- input { 4i64 }
-- output { [0i64, 0i64, 1i64, 3i64] 10i64 }
entry main (n: i64) : ([n]i64, i64) =
  let a =
    loop a = replicate n 0i64
    for i < n do
      a with [i] = (loop s = 0i64 for j < i do s + j)
  let c = loop c = 0i64 for i < n do loop c for _j < i + 1 do c + 1
  in (a, c)
