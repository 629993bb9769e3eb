-- Arrays of three dimensions: transposed, sliced, updated, reduced.
-- tolerance: exact
-- ==
-- input { 3i64 2i64 }
-- output { [[[0i64, 2i64], [1i64, 3i64]], [[4i64, 6i64], [5i64, 7i64]], [[8i64, 10i64], [9i64, 11i64]]] [[[0i64, 2i64], [4i64, 6i64], [8i64, 10i64]], [[1i64, 3i64], [5i64, 7i64], [9i64, 11i64]]] [[1i64, 5i64], [9i64, 13i64], [17i64, 21i64]] [[3i64, 2i64], [7i64, 6i64], [11i64, 10i64]] [4i64, 8i64] [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64, 10i64, 11i64] [[[0i64, 1i64], [9i64, 9i64]], [[4i64, 5i64], [6i64, 7i64]], [[8i64, 9i64], [10i64, 11i64]]] [1i64, 5i64, 9i64, 13i64, 17i64, 21i64] [1i64, 5i64, 9i64, 13i64, 17i64, 21i64] [[12i64, 15i64], [18i64, 21i64]] [0i64, 7i64, 0i64, 8i64, 0i64] }
def unfl (n: i64) (m: i64) (k: i64) = unflatten_3d (iota (n * m * k)) : [n][m][k]i64

entry main (n: i64) (m: i64) =
  let a = unfl n m 2 |> copy
  let b = map transpose a
  let c = transpose b
  let d = map (map i64.sum) a
  let e = a[:, 1, ::-1]
  let f = a[1:, 0, 0]
  let g = flatten_3d a
  let h = copy a with [0, 1] = [9, 9]
  let i = map2 (\x y -> (x, y)) (flatten d) (flatten d) |> unzip
  let j = reduce (map2 (map2 (+))) (replicate m (replicate 2 0)) a
  in (b, c, d, e, f, g, h, i, j, spread 5 0i64 [1, 3] [7, 8])
