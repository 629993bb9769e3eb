-- Interpreter: nanoseconds per iteration or element are the microseconds shown divided by 1000.
--   build/release/halo bench --backend=interp bench/interp.fut
-- ==
-- entry: scalar_loop scalar_loop_f64 while_loop maps redomap stencil converts updates tuples sums
-- input { 1000000i64 }
entry scalar_loop (n: i64) = loop x = 1i64 for i < n do (x * 3 + i) & 0xffff
entry scalar_loop_f64 (n: i64) = loop x = 1f64 for _i < n do x * 0.5 + 1.5 - 0.25
entry while_loop (n: i64) = (loop (x, i) = (1i64, 0) while i < n do (x * 3 + i, i + 1)).0
entry maps (n: i64) = last (map (\i -> i * 3 + 1 - 2) (iota n))
entry redomap (n: i64) = i64.sum (map (\x -> x * x + 1) (iota n))

entry stencil (n: i64) =
  last (stencil_1d [-1, 0, 1] (\() (v: [3]i64) -> v[0] + v[1] + v[2]) (rep ()) (iota n))

entry converts (n: i64) = f32.sum (map (\i -> f32.i64 i * 0.5 + 1.5) (iota n))

entry updates (n: i64) =
  (loop xs = replicate 1000 0i64 for i < n do xs with [i % 1000] = xs[(i + 1) % 1000] + i)[3]

entry tuples (n: i64) = (last (map (\(x, y) -> (x * y, x + y)) (zip (iota n) (iota n)))).0
type opt = #just i64 | #none

entry sums (n: i64) =
  let xs: [n]opt = map (\i -> if i % 2 == 0 then #just i else #none) (iota n)
  in i64.sum (map (\x -> match x case #just y -> y case #none -> 1) xs)
