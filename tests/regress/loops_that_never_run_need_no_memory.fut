-- Sizes grow by the factors of all levels: `hoist` took the table of a loop without iterations, 4,096 times as large as
-- the argument, in front of it.
-- ==
-- input { 2000000i64 0i64 } output { 1i64 }
-- input { 3i64 2i64 } output { 4i64 }
entry main (n: i64) (k: i64) : i64 =
  let xs = map (+ 1) (iota n)
  let a = i64.max 3 (4 * n)
  let b = i64.max 5 (4 * a)
  let c = i64.max 7 (4 * b)
  let d = i64.max 9 (4 * c)
  let e = i64.max 11 (4 * d)
  let f = i64.max 13 (4 * e)
  in loop s = xs[0]
     for i < k do
       let t = tabulate f (\j -> j * j % 7)
       in s + t[(s + i) % f]
