-- `f <| xs`, where the size of `xs` is an expression: it is known before `xs` is there.
-- ==
-- entry: call
-- input { 4i64 } output { 3i64 [1i64] [0i64, 1i64] [2i64, 2i64] }
-- ==
-- entry: field
-- input { 3i64 } output { 6i64 [1i64, 2i64] }
-- ==
-- entry: constant
-- input { [1, 2, 3] } output { 12 [[1, 1], [2, 2], [3, 3]] }
def half (x: i64) = x * x % 7

entry call (k: i64) =
  let xs: [half k]i64 = iota (half k)
  let rows [n] (f: [n]i64 -> i64) (xss: [n][half k]i64) = map f <| transpose xss
  in (i64.sum <| map (+ 1) xs, take 1 <| drop 1 xs, id <| id xs, rows i64.sum (replicate 2 (rep 1)))

def above (p: {n: i64}) (xs: [p.n]i64) = (i64.sum <| map (* 2) xs, tail <| id xs)
entry field (n: i64) = let p = {n} in above p (iota p.n)

module sized (P: {val n : i64}) = {
  def sum (xs: [P.n]i32) = reduce (+) 0 <| map (* 2) <| id xs
  def both (xs: [P.n]i32) : [P.n][2]i32 = transpose <| replicate 2 <| copy xs

  -- The result of a loop, as in random number engines.
  def steps (k: i64) (xs: [P.n]i32) : [k][P.n]i32 =
    (.0)
    <| loop (rows, ys) = (replicate k (replicate P.n 0), copy xs)
       for i < k do
         let ys = map (+ 1) ys
         in (rows with [i] = ys, ys)
}

module three = sized {def n = 3i64}
entry constant (xs: [3]i32) = (three.sum xs, three.both xs)

-- ==
-- entry: loops
-- input { 2i64 [1, 2, 3] } output { [[2, 3, 4], [3, 4, 5]] }
entry loops (k: i64) (xs: [3]i32) = three.steps k xs
