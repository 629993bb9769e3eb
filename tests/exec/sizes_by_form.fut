-- A size expression is matched as it was written: `[n * m]` against `[e1 * e2]` gives n and m, for
-- any e1 and e2. The `[]` of a parameter may become such an expression, which callers decide.
-- ==
-- entry: constants
-- input { [1,2,3,4,5,6,7] } output { [[1,2,3],[4,5,6]] }
-- ==
-- entry: fields
-- input { 3i64 } output { [[7,7,7],[7,7,7]] }
-- ==
-- entry: calls
-- input { [1,2,3,4,5,6] } output { [[1,2],[3,4],[5,6]] }
-- input { [1,2,3,4,5] } error: 5
-- ==
-- entry: products
-- input { [[[1,2,3],[4,5,6]]] } output { [[1,2,3],[4,5,6]] }
-- ==
-- entry: sums
-- input { [1,2,3,4,5,6] } output { [1,2] [3,4,5] }
-- ==
-- entry: columns
-- input { [1,2,3,4,5,6] } output { [[11,23],[12,24],[13,25]] [[11,24,37],[12,25,38]] }
-- ==
-- entry: chunks
-- input { [1,2,3,4,5,6,7] } output { [[1,2,3],[4,5,6]] }
-- ==
-- entry: asserted
-- input { 3i64 } output { [0i64,1i64,2i64] }
-- input { -1i64 } error: assert
-- ==
-- entry: shown
-- input { [1,2,3,4,5,6] } output { [[1,2,3],[4,5,6]] [[1,2],[3,4],[5,6]] }
-- ==
-- entry: locals
-- input { [1,2,3,4,5,6] } output { [[1,2,3],[4,5,6]] [[1,2],[3,4]] }

def rows (xs: []i32) = unflatten xs
entry constants (xs: []i32) = rows (take (2 * 3) xs)

def filled (s: {w: i64, h: i64}) = unflatten (replicate (s.h * s.w) 7)
entry fields (w: i64) : [][]i32 = filled {w, h = 2}

def called (n: i32) (m: i32) (xs: []i32) = unflatten (sized (i64.i32 n * i64.i32 m) xs)
entry calls (xs: []i32) : [][]i32 = called 3 2 xs

def flat [k] [h] [w] (x: [k][h][w]i32) = unflatten (flatten_3d x)
entry products [k] [h] [w] (x: [k][h][w]i32) : [][]i32 = flat x

def halves (xs: []i32) = split (take (2 + 3) xs)

entry sums (xs: []i32) : ([]i32, []i32) =
  let (a, b) = halves xs in (a :> []i32, b :> []i32)

def plus_columns [n] (ys: [n]i32) (xs: []i32) = map (map2 (+) ys) (transpose (unflatten xs))

entry columns (xs: []i32) : ([][]i32, [][]i32) =
  (plus_columns [10, 19] (xs :> [2 * 3]i32), plus_columns [10, 21, 32] (xs :> [3 * 2]i32))

def chunked [n] (c: i64) (xs: [n]i32) = let k = n / c in unflatten (sized (k * c) xs)
entry chunks (xs: []i32) : [][]i32 = chunked 3 (take 6 xs)

def known n : [n]i64 = iota (assert (n >= 0) n)
entry asserted (n: i64) = known n

-- What a caller sees of a result is how it was written, too.
def six (xs: []i32) = sized (2 * 3) xs
def also_six (xs: []i32) = sized (3 * 2) xs
entry shown (xs: []i32) : ([][]i32, [][]i32) = (unflatten (six xs), unflatten (also_six xs))

entry locals (xs: []i32) : ([][]i32, [][]i32) =
  let matrix (ys: []i32) = unflatten ys
  in (matrix (take (2 * 3) xs), matrix (take (2 * 2) xs))
