-- Remainders and quotients of numbers below twice their divisor, and of some that are not.

-- ==
-- entry: torus
-- input { [5i32, 1i32, 7i32, 3i32, 2i32] } output { [14i32, 5i32, 23i32, 4i32, 8i32] }
-- input { [4i32] } output { [12i32] }
-- input { empty([0]i32) } output { empty([0]i32) }
entry torus [n] (xs: [n]i32) = map (\i -> xs[(i + 1) % n] - xs[(i + n - 1) % n] + 3 * xs[i % n]) (iota n)

-- ==
-- entry: quotients
-- input { [5i32, 1i32, 7i32, 3i32, 2i32] } output { [0i64, 3i64, 4i64, 5i64, 7i64] }
-- input { [5i32] } output { [1i64] }
entry quotients [n] (xs: [n]i32) =
  let _ = xs
  in map (\i -> (i + 1) / n + 2 * ((i + n - 1) // n) + i / n + (i + n) %% n) (iota n)

-- ==
-- entry: bytes
-- input { 5i8 9i64 } output { [4i8, 0i8, 1i8, 2i8, 3i8, 7i8, 7i8, 7i8, 7i8] }
-- input { 100i8 3i64 } output { [99i8, 0i8, 1i8] }
-- input { 100i8 90i64 } auto output
entry bytes (n: i8) (m: i64) =
  map (\i -> let k = i8.i64 i in if k < n then (k + n - 1) % n else 7) (iota m)

-- ==
-- entry: beyond
-- input { [5i32, 1i32, 7i32, 3i32, 2i32] } output { [6i32, 14i32, 5i32, 3i32, 8i32] }
entry beyond [n] (xs: [n]i32) = map (\i -> xs[(i + n + 1) % n] + xs[(i * 2) % n]) (iota n)
