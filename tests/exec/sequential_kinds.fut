-- Loops that update, folds, iterate.
-- tolerance: exact
-- ==
-- input { [3i32, 1i32, 2i32] }
-- output { [1i32, 2i32, 3i32] [6i32, 4i32, 5i32] [6i32, 2i32, 4i32] 4i32 4i32 [24i32, 8i32, 16i32] 192i32 }
def sort [n] (xs: [n]i32) : [n]i32 =
  let step (a: *[n]i32) (i: i64): *[n]i32 =
    loop a for j < n - 1 do
      if a[j] > a[j + 1] then let t = copy a[j] let a[j] = a[j + 1] let a[j + 1] = t in a else a
  in loop a = copy xs for i < n do step a i

entry main [n] (xs: [n]i32) =
  let f = \(x: i32) -> \y -> x + y
  let g = f 3
  in (sort xs, map g xs, map (uncurry f) (zip xs xs), foldl (flip (-)) 0 xs, foldr (-) 0 xs, iterate 3 (map (* 2)) xs, iterate_until (> 100) (* 2) xs[0])
