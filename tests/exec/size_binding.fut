-- Sizes that bind names: match, loop, let of a pattern, local functions; and ranges and slices.
-- ==
-- entry: by_match
-- input { 3i64 } output { [1, 1, 1] }
-- input { 0i64 } output { [1] }
--
-- ==
-- entry: by_loop
-- input { 3i64 } output { 8i64 }
--
-- ==
-- entry: by_record
-- input { 2i64 } output { 2i64 4i64 }
--
-- ==
-- entry: by_let
-- input { 2i64 } output { 3i64 5i64 }
--
-- ==
-- entry: by_range
-- input { 2i64 } output { [7, 7] 1i64 }
def grown (k: i64) (xs: [match k case 0 -> 1 case _ -> k]i32) : [match k case 0 -> 1 case _ -> k]i32 =
  map (+ 1) xs

entry by_match (k: i64) : []i32 =
  grown k (replicate (i64.max 1 k) 0 :> [match k case 0 -> 1 case _ -> k]i32)

def power (k: i64) (xs: [loop a = 1 for _i < k do a * 2]i32) = length xs

entry by_loop (k: i64) =
  power k (replicate (2 ** k) 0 :> [loop a = 1 for _i < k do a * 2]i32)

type choice = {k: i64, b: #own i64 | #twice}
def chosen (r: choice) (xs: [match r.b case #own n -> n case #twice -> 2 * r.k]i32) = length xs

entry by_record (k: i64) =
  let go (r: choice) (n: i64) =
    chosen r (replicate n 0 :> [match r.b case #own n -> n case #twice -> 2 * r.k]i32)
  in (go {k, b = #own k} k, go {k, b = #twice} (2 * k))

def pair (k: i64) (xs: [let (a, b) = (k, 1) in a + b]i32) = length xs
def through (g: i64 -> i64) (k: i64) (xs: [let h x = g (x + k) in h 1]i32) = length xs

entry by_let (k: i64) =
  let g (x: i64) = x + 2
  in ( pair k (replicate (k + 1) 0 :> [let (a, b) = (k, 1) in a + b]i32)
     , through g k (replicate (k + 3) 0 :> [let h x = g (x + k) in h 1]i32)
     )

def counted (k: i64) : [length (0..<k)]i32 = replicate (length (0..<k)) 7
def shorter (xs: []i64) (ys: [length (xs[1:])]i32) = length ys

entry by_range (k: i64) : ([]i32, i64) =
  let xs = iota k in (counted k, shorter xs (replicate (k - 1) 0 :> [length (xs[1:])]i32))
