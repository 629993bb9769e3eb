-- Branches by scalars that kernels make, in loops: arms with maps, sums, updates, views and checks.
-- tolerance: exact

def steps 'a (n: i64) (x: a) (f: i64 -> a -> a) : a = loop x for i < n do f i x

-- Arms hand arrays on or map them; one changes a count.
-- ==
-- entry: maps
-- input { 5i64 7i64 }
-- output { [83i64, 52i64, 21i64, -10i64, -41i64] 4i64 }
-- input { 0i64 3i64 }
-- output { empty([0]i64) 3i64 }
entry maps (n: i64) (k: i64) : ([n]i64, i64) =
  steps k (iota n, 0) (\i (xs, c) ->
                         let s = i64.sum xs
                         in if s % 3 != 1 then (map (\x -> x * 2 + i) xs, c + 1) else (map2 (-) (reverse xs) (iota n), c))

-- Rows at places that are in range only where the arm is taken.
-- ==
-- entry: rows
-- input { 4i64 5i64 }
-- output { [[8i64, 9i64, 10i64], [16i64, 17i64, 18i64], [12i64, 13i64, 14i64], [15i64, 16i64, 17i64]] }
entry rows (n: i64) (k: i64) : [n][3]i64 =
  steps k (tabulate_2d n 3 (\i j -> i * 3 + j)) (\i xss ->
                                                   let p = i64.sum (map i64.sum xss) % (2 * n)
                                                   in if p < n
                                                      then map (\j -> if j == 0 then xss[p] else map (+ i) xss[j]) (iota n)
                                                      else copy xss with [p - n] = map (+ 7) xss[p - n])

-- Sums and scans of an arm, with checks of their own, and elements of an array that it makes.
-- ==
-- entry: sums
-- input { [3i64, 1i64, 4i64, 1i64, 5i64] 6i64 }
-- output { [2i64, 4i64, 1i64, 1i64, 2i64] 39i64 }
entry sums [n] (xs: [n]i64) (k: i64) : ([n]i64, i64) =
  steps k (xs, 0) (\i (xs, total) ->
                     let least = i64.minimum xs
                     in if least > i % 2
                        then let ys = map (\x -> xs[x % n] + i) xs
                             let s = i64.sum (map (\y -> y / least) ys)
                             in (map (% n) (scan (+) 0 ys), total + s + ys[n - 1])
                        else (map (\x -> (x + 3) % n) xs, total + xs[n / 2]))

-- An arm fails: only where it is taken.
-- ==
-- entry: fails
-- input { [1i64, 2i64, 3i64] 2i64 }
-- output { [5i64, 9i64, 13i64] }
-- input { [1i64, 2i64, 3i64] 9i64 }
-- error: index
entry fails [n] (xs: [n]i64) (k: i64) : [n]i64 =
  steps k xs (\_ xs ->
                let s = i64.sum xs
                in if s > 20 then map (\i -> xs[i * s]) (iota n) else map (\x -> 2 * x + i64.bool (s < 8) - i64.bool (s > 8)) xs)

-- Checks of elements that nothing wants, of a loop, and of the arm.
-- ==
-- entry: checks
-- input { [1i64, 2i64, 3i64] 2i64 9i64 }
-- output { [5i64, 9i64, 13i64] }
-- input { [1i64, 2i64, 3i64] 5i64 9i64 }
-- error: index
-- input { [1i64, 2i64, 3i64] 5i64 3i64 }
-- error: index
-- input { [1i64, 2i64, 3i64] 5i64 4i64 }
-- error: index
entry checks [n] (xs: [n]i64) (k: i64) (m: i64) : [n]i64 =
  steps k xs (\_ xs ->
                let s = i64.sum xs
                in if s > 30
                   then let ys = map (\i -> xs[(i * s) % m]) (iota n)
                        let t = loop t = 0 for j < s % m do t + xs[j]
                        in map (+ t) ys with [1] = xs[m % 4]
                   else map (\x -> 2 * x + i64.bool (s < 8) - i64.bool (s > 8)) xs)

-- Elements and rows of replaced copies; one arm turns the array.
-- ==
-- entry: replaced
-- input { 3i64 4i64 }
-- output { [[0i64, 1i64, 2i64], [3i64, 4i64, 5i64], [6i64, 7i64, 8i64]] [3i64, 3i64, 9i64] }
entry replaced (n: i64) (k: i64) : ([n][n]i64, [n]i64) =
  steps k (tabulate_2d n n (\i j -> i * n + j), replicate n 0) (\i (xss, ys) ->
                                                                  let s = i64.sum (map (\r -> r[0]) xss)
                                                                  in if s % 2 == 1
                                                                     then (transpose xss, copy ys with [i % n] = s)
                                                                     else (copy xss with [i % n] = map (* 10) xss[i % n], copy ys with [(i + 1) % n] = xss[1, 2]))

-- A branch of scalars by loops; its result decides the next one.
-- ==
-- entry: scalars
-- input { [0.5f64, 2.5f64, 4f64] 4i64 }
-- output { [0.5f64, 1.5f64, 4.0f64] 24i64 }
entry scalars [n] (xs: [n]f64) (k: i64) : ([n]f64, i64) =
  steps k (xs, 0) (\i (xs, c) ->
                     let m = f64.maximum xs
                     let (a, d) =
                       if m > 3
                       then (loop a = m while a > 1 do a / 2, (loop d = 1i64 for j < i64.f64 m do d + j))
                       else (f64.sqrt (m * m), i)
                     in if a + f64.i64 d > 100 then (map (+ a) xs, c) else (map2 (\x j -> if j == 1 then 1.5 else x) xs (iota n), c + d - i64.f64 a))

-- Few cells and many: the second waits.
-- ==
-- entry: many
-- input { 10i64 } output { 45i64 }
-- input { 3000000i64 } output { 4499998500000i64 }
entry many (n: i64) : i64 =
  let xs = steps 3 (iota n) (\_ xs -> if xs[0] > i64.sum (map (% 2) xs) then map (+ 1) xs else reverse (reverse xs))
  in i64.sum xs
