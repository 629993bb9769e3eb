-- Loops in the cells of a map whose scalars are the same in all cells: they change places with the map.

def sums [n] (xs: [n]i32) : ([n]i32, i64) =
  loop (xs, m) = (xs, 1)
  while m < n do
    (map (\i -> if i < m then xs[i] else xs[i] + xs[i - m]) (iota n), m * 2)

-- | Prefix sums of rows by doubling steps, and the last step.
-- ==
-- entry: doubling
-- input { [[1, 2, 3, 4, 5], [1, 1, 1, 1, 1]] }
-- output { [[1, 3, 6, 10, 15], [1, 2, 3, 4, 5]] [8i64, 8i64] }
-- input { empty([0][5]i32) }
-- output { empty([0][5]i32) empty([0]i64) }
-- input { [[7], [8]] }
-- output { [[7], [8]] [1i64, 1i64] }
-- input { empty([3][0]i32) }
-- output { empty([3][0]i32) [1i64, 1i64, 1i64] }
entry doubling [b] [n] (xss: [b][n]i32) : ([b][n]i32, [b]i64) = unzip (map sums xss)

-- | A large one beside `scan`.
-- ==
-- entry: agrees
-- input { 3i64 1000i64 } output { true }
-- input { 300i64 33i64 } output { true }
entry agrees (b: i64) (n: i64) : bool =
  let xss = tabulate_2d b n (\i j -> i32.i64 ((i * 31 + j * 17) % 23) - 11)
  in map (\xs -> (sums xs).0) xss == map (scan (+) 0) xss

-- | Steps of three kinds, chosen by the scalar that all cells share.
-- ==
-- entry: branches
-- input { 6i64 [[1, 2, 3], [4, 5, 6]] }
-- output { [[31, 27, 21], [49, 42, 30]] [12i64, 12i64] }
-- input { 0i64 [[1, 2, 3], [4, 5, 6]] }
-- output { [[1, 2, 3], [4, 5, 6]] [0i64, 0i64] }
entry branches [b] [n] (steps: i64) (xss: [b][n]i32) =
  let cell (xs: [n]i32) =
    let (ys, k, _) =
      loop (xs, k, i) = (xs, 0, 0)
      while i < steps do
        if i % 3 == 0
        then (scan (+) 0 xs, k + 1, i + 1)
        else if i % 3 == 1 then (reverse xs, k + 2 * i, i + 1) else (map (+ i32.i64 k) xs, k, i + 1)
    in (ys, k)
  in unzip (map cell xss)

-- | Scalars of a counted loop: shared ones, and ones of each cell.
-- ==
-- entry: counted
-- input { 3i64 [[1, 2], [3, 4]] }
-- output { [[13, 29], [15, 37]] [6i64, 6i64] [29, 47] }
entry counted [b] [n] (k: i64) (xss: [b][n]i32) =
  let cell (xs: [n]i32) =
    loop (xs, s, t) = (xs, 1, 0)
    for i < k do
      let ys = scan (+) 0 (map (+ i32.i64 s) xs)
      in (map2 (\a b -> b - a + 2 * i32.i64 i + a) xs ys, s + i + 1 - i64.bool (i == 1), t + reduce (+) 0 xs)
  in unzip3 (map cell xss)

-- | Steps that divide by the shared scalar: an error only where there are cells.
-- ==
-- entry: divides
-- input { 2i64 [[1, 2], [3, 4]] }
-- output { [[2, 6], [8, 12]] }
-- input { 3i64 [[1, 2], [3, 4]] }
-- error: division by zero
-- input { 3i64 empty([0][2]i32) }
-- output { empty([0][2]i32) }
entry divides [b] [n] (steps: i64) (xss: [b][n]i32) =
  let cell (xs: [n]i32) =
    (loop (xs, m) = (xs, 2)
     while m > 2 - steps do
       let d = i32.i64 (4 / m)
       in (map2 (\x y -> x + d * y / 4) xs (scan i32.max i32.lowest xs), m - 1)).0
  in map cell xss

-- | Without cells there are no steps, else this one had no end.
-- ==
-- entry: endless
-- input { empty([0][4]i32) }
-- output { empty([0][4]i32) }
entry endless [b] [n] (xss: [b][n]i32) =
  let cell (xs: [n]i32) =
    (loop (xs, m) = (xs, 1i64)
     while m != 0 do
       (scan (+) 0 (map (+ i32.i64 m) xs), m * 3)).0
  in map cell xss

-- | Cells that do not run equally often stay whole.
-- ==
-- entry: uneven
-- input { [3, 0, 1] [[1, 2], [3, 4], [5, 6]] }
-- output { [[1, 5], [3, 4], [5, 11]] [3, 0, 1] }
entry uneven [b] [n] (counts: [b]i32) (xss: [b][n]i32) =
  let cell (c: i32) (xs: [n]i32) =
    loop (xs, k) = (xs, 0)
    while k < c do
      (scan (+) 0 xs, k + 1)
  in unzip (map2 cell counts xss)
