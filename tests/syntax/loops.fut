-- The three kinds of loop, with and without initial value.
-- ==
-- input { 4 } output { 6 10 16 }
def main (n: i32) =
  let x = 0
  let a = loop x for i < n do x + i
  let b = loop acc = 0 for y in [1, 2, 3, 4] do acc + y
  let (c, _) = loop (c, i) = (1, n) while i > 0 do (c * 2, i - 1)
  in (a, b, c)
