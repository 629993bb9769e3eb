-- Arrays that a loop or branch of one invocation overwrites where they lie, reversed, turned or cut:
-- the result lies there in the same way, which the result of a call must not.
-- ==
-- entry: nested swapped turned cut branched scattered carried
-- input { [1i64, 2i64, 3i64, 4i64] 7i64 }
-- input { [5i64, 6i64, 7i64, 8i64, 9i64] 0i64 }
-- input { empty([0]i64) 1i64 }
-- ==
-- entry: nested
-- input { [1i64, 2i64, 3i64, 4i64] 7i64 } output { [7i64, 7i64, 7i64, 7i64] }
entry nested [n] (_: [n]i64) (c: i64) : [n]i64 =
  loop z = copy (replicate n c)[::-1]
  for i < n do
    loop z for j < i % 4 do
      z with [(i + j) % n] = z[j]

-- ==
-- entry: swapped
-- input { [1i64, 2i64, 3i64, 4i64] 7i64 } output { [8i64, 9i64, 10i64, 11i64] }
entry swapped [n] (xs: [n]i64) (c: i64) : [n]i64 =
  loop z = copy (reverse (map (+ c) xs))
  for i < n / 2 do
    let a = z[i]
    let b = z[n - 1 - i]
    let z = z with [i] = b
    in z with [n - 1 - i] = a

entry turned [n] (xs: [n]i64) (c: i64) : [n][3]i64 =
  loop z = transpose (map (\i -> map (+ i) xs) (iota 3))
  for i < n do
    let v = z[i, 1]
    in loop z for j < 3 do
         z with [i, j] = v + c * j

entry cut [n] (xs: [n]i64) (c: i64) : [n]i64 =
  let ys = map (* 2) (xs ++ xs ++ xs)
  let zs = copy (ys[1 + n:n + n + 1] :> [n]i64)
  in loop z = zs
     for i < n do
       z with [i] = z[(i + 1) % n] + c

entry branched [n] (xs: [n]i64) (c: i64) : [n]i64 =
  let z = copy (map (+ 1) xs)[::-1]
  in if n > 2 && c > 3 then z with [n - 1] = z[0] * 2 else if n > 0 then z with [0] = c else z

entry scattered [n] (xs: [n]i64) (c: i64) : [n]i64 =
  loop z = copy (map (+ c) xs)[::-1]
  for i < 3 do
    scatter z (map (\j -> j * 2 - i) (iota n)) (map (* i) xs)

entry carried [n] (xs: [n]i64) (c: i64) : ([n]i64, [n]i64) =
  loop (a, b) = (copy (map (+ c) xs)[::-1], copy (map (* c) xs)[::-1])
  for i < n do
    (b, a with [i] = a[n - 1 - i] + 1)
