-- Arrays of an invocation in scratch memory: one that is dead leaves its memory to the next. As
-- many invocations as there are turns for, evenly.
-- ==
-- input { [1i64, 2i64, 3i64] 4i64 }
-- output { [2880i64, 462080i64, 20808000i64] }
def main [n] (xs: [n]i64) (k: i64) : [n]i64 =
  map (\x ->
         let as = loop ys = replicate k x for i < k - 1 do ys with [i + 1] = ys[i] * x + i
         let s = loop s = 0 for i < k do s + as[i] * as[k - 1 - i]
         let bs = loop ys = replicate k s for i < k - 1 do ys with [i + 1] = ys[i] + s
         in loop s = 0 for i < k do s + bs[i] * bs[k - 1 - i])
      xs
