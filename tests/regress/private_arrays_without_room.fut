-- More arrays of iterations than the stack has room for: the rest are allocated, and their loops run
-- one iteration after the other (vector code had no memory for them).
-- ==
-- input { 0i64 }
-- input { 20i64 }
def one (c: i64) (n: i64) : [n]i64 =
  map (\i ->
         let ys =
           loop ys = replicate 60 c
           for j < 20 do
             ys with [(j * i) % 60] = i + ys[i % 60] + c
         in ys[i % 60] + ys[(i + 7) % 60])
      (iota n)

def main (n: i64) =
  (one 0 n, one 1 n, one 2 n, one 3 n, one 4 n, one 5 n, one 6 n, one 7 n, one 8 n, one 9 n, one 10 n)
