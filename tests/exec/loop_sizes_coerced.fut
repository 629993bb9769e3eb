-- A carried array changes its size though the body coerces it to a size of its own.
-- ==
-- entry: growing
-- input { [7i64,8i64,9i64] } output { [7i64,8i64,9i64,0i64,1i64,2i64] }
-- input { [7i64] } error: 3
-- ==
-- entry: halving
-- input { 3 } output { [3,3] }
-- ==
-- entry: powers
-- input { 3i64 } output { [0] }
-- ==
-- entry: unchanged
-- input { [1i64,2i64] } output { [8i64,9i64] }
-- ==
-- entry: two
-- input { [1,2] } output { [1,2,0,1] [3,4] }

entry growing (xs: []i64) = loop xs for i < 3i64 do let n = 3 + i in (xs :> [n]i64) ++ [i]

def half (i: i64) (xs: [2 * i]i32) : [i]i32 = take i xs
entry halving (x: i32) : []i32 = loop xs = replicate 8 x for i in [4i64, 2] do half i (xs :> [2 * i]i32)

def evens [k] (xs: [2 ** k]i32) : [2 ** (k - 1)]i32 = tabulate (2 ** (k - 1)) (\i -> xs[i * 2])

def first (k: i64) (xs: [2 ** k]i32) =
  loop xs for i in reverse (iota k) do evens (xs :> [2 ** (i + 1)]i32)

entry powers (k: i64) = first k (map i32.i64 (iota (2 ** k)))

entry unchanged [n] (xs: [n]i64) : [n]i64 = loop xs for _i < 7i32 do map (+ 1) (xs :> [n]i64)

entry two (xs: []i32) : ([]i32, []i32) =
  loop (a, b) = (xs, xs) for i < 2i32 do (a ++ [i], map (+ 1) (b :> [2]i32))
