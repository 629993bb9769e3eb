-- Reductions in every regime of segments, around the borders of vectors, runs and chunks.
-- ==
-- entry: whole
-- input { 0i64 } output { true true true }
-- input { 1i64 } output { true true true }
-- input { 4095i64 } output { true true true }
-- input { 4097i64 } output { true true true }
-- input { 40003i64 } output { true true true }
entry whole (n: i64) : (bool, bool, bool) =
  let xs = map (\i -> f64.i64 i) (iota n)
  let ys = map (\i -> i32.i64 (i % 1000)) (iota n)
  let zs = map (\i -> u8.i64 (i % 7)) (iota n)
  let last = f64.i64 (n - 1)
  in ( n == 0 || f64.sum (map (* 2) xs) == last * (last + 1)
     , n == 0 || i32.maximum ys == i32.i64 (i64.min (n - 1) 999)
     , i64.sum (map i64.u8 zs) == (n / 7) * 21 + (n % 7) * (n % 7 - 1) / 2
     )

-- ==
-- entry: rows
-- input { 1i64 1i64 } output { 0i64 }
-- input { 1000i64 2i64 } output { 0i64 }
-- input { 999i64 3i64 } output { 0i64 }
-- input { 1000i64 4i64 } output { 0i64 }
-- input { 301i64 7i64 } output { 0i64 }
-- input { 100i64 31i64 } output { 0i64 }
-- input { 33i64 64i64 } output { 0i64 }
-- input { 20i64 257i64 } output { 0i64 }
-- input { 7i64 9001i64 } output { 0i64 }
-- input { 2i64 30000i64 } output { 0i64 }
-- input { 5i64 0i64 } output { 0i64 }
entry rows (n: i64) (m: i64) : i64 =
  let xs = tabulate_2d n m (\i j -> i * m + j)
  let ys = map (\row -> reduce (+) 0 row) xs
  in i64.sum (map2 (\i y -> i64.bool (y != m * (i * m) + m * (m - 1) / 2)) (iota n) ys)

-- ==
-- entry: pairs
-- input { 50i64 37i64 } output { 0i64 0i64 }
-- input { 3i64 20001i64 } output { 0i64 0i64 }
entry pairs (n: i64) (m: i64) : (i64, i64) =
  let xs = tabulate_2d n m (\i j -> i32.i64 ((i * 31 + j * 7919) % 1009))
  let cs = map i32.i64 (iota m)
  let ks = map i32.i64 (iota n)
  let ys =
    map2 (\k row ->
            reduce_comm (\(a, i) (b, j) -> if a < b || (a == b && i < j) then (a, i) else (b, j))
                        (i32.highest, i32.highest)
                        (zip (map2 (\x c -> x * k + c) row cs) cs))
         ks
         xs
  let zs =
    map2 (\k row ->
            loop (a, i) = (i32.highest, i32.highest)
            for j < m do
              let b = row[j] * k + cs[j]
              in if b < a then (b, cs[j]) else (a, i))
         ks
         xs
  in (i64.sum (map2 (\y z -> i64.bool (y.0 != z.0)) ys zs), i64.sum (map2 (\y z -> i64.bool (y.1 != z.1)) ys zs))

-- ==
-- entry: passed_on
-- input { 100i64 37i64 } output { 0i64 }
entry passed_on (n: i64) (m: i64) : i64 =
  let xs = tabulate_2d n m (\i j -> i * m + j)
  let (ys, zs) = unzip (map (\row -> let r = map (* 3) row in (i64.sum r, r)) xs)
  in i64.sum (map2 (\i y -> i64.bool (y != 3 * (m * (i * m) + m * (m - 1) / 2))) (iota n) ys)
     + i64.sum (map2 (\i z -> i64.bool (z != i * 3)) (iota (n * m)) (flatten zs))
