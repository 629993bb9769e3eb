-- Scans of 3 x 3 matrices: an operator of 45 operations on 9 values.

type m33 = (i32, i32, i32, i32, i32, i32, i32, i32, i32)

def mul (a: m33) (b: m33) : m33 =
  let (a0, a1, a2, a3, a4, a5, a6, a7, a8) = a
  let (b0, b1, b2, b3, b4, b5, b6, b7, b8) = b
  in ( a0 * b0 + a1 * b3 + a2 * b6
     , a0 * b1 + a1 * b4 + a2 * b7
     , a0 * b2 + a1 * b5 + a2 * b8
     , a3 * b0 + a4 * b3 + a5 * b6
     , a3 * b1 + a4 * b4 + a5 * b7
     , a3 * b2 + a4 * b5 + a5 * b8
     , a6 * b0 + a7 * b3 + a8 * b6
     , a6 * b1 + a7 * b4 + a8 * b7
     , a6 * b2 + a7 * b5 + a8 * b8
     )

-- ==
-- entry: products
-- input { 0i64 }
-- output { empty([0]i32) empty([0]i32) empty([0]i32) }
-- input { 4i64 }
-- output { [0i32, 2i32, 8i32, 42i32] [1i32, 5i32, 20i32, 104i32] [-1i32, 1i32, 2i32, 10i32] }
-- input { 2000i64 }
entry products (n: i64) =
  let of_number i = let x = i32.i64 (i % 7) in (x, 1, 0, 2, x + 1, 1, 0, 1, x - 1)
  in map of_number (iota n)
     |> scan mul (1, 0, 0, 0, 1, 0, 0, 0, 1)
     |> map (\m -> (m.0, m.4, m.8))
     |> unzip3

-- Four values of which two pairs are equal: two are scanned.

-- ==
-- entry: twins
-- input { [1, 2, 3] [4, 5, 6] }
-- output { [1, 2, 6] [4, 13, 45] [1, 2, 6] [4, 13, 45] }
entry twins (xs: []i32) (ys: []i32) =
  let op (a, b, c, d) (p, q, r, s) = (a * p, b * p + q, c * r, s + r * d)
  in unzip4 (scan op (1, 0, 1, 0) (map2 (\x y -> (x, y, x, y)) xs ys))

-- Equal but for their neutral elements: empty arrays show both.

-- ==
-- entry: almost_twins
-- input { [1, 3, 2] }
-- output { 3 3 }
-- input { empty([0]i32) }
-- output { -2147483648 0 }
entry almost_twins (xs: []i32) =
  let op (a, b) (p, q) = (i32.max a p, i32.max b q)
  in reduce op (i32.lowest, 0) (map (\x -> (x, x)) xs)
