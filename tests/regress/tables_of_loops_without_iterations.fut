-- A table of n * n elements stood in front of a loop that runs no iteration: out of memory, where the interpreter never
-- makes it.
-- ==
-- entry: counted whilst inner
-- input { 0i64 1000000i64 } output { 1i64 }
-- input { -1i64 3i64 } output { 1i64 }
-- input { 1i64 5i64 } output { 1i64 }
-- ==
-- entry: counted whilst
-- input { 4i64 5i64 } output { 221i64 }

-- ==
-- entry: inner
-- input { 4i64 5i64 } output { 220i64 }
def table [n] (xs: [n]i64) : [n][n]i64 = map (\x -> scan (+) 0 (map (* x) xs)) xs

entry counted (k: i64) (n: i64) : i64 =
  let xs = map (* 2) (iota n)
  in loop acc = 1 + i64.min k 0 * xs[0]
     for i < k do
       let t = table xs in acc + t[acc % n, i % n] + t[i % n, acc % n]

entry whilst (k: i64) (n: i64) : i64 =
  let xs = map (* 2) (iota n)
  in (loop (acc, i) = (1 + i64.min k 0 * xs[0], 0)
      while i < k do
        let t = table xs
        in (acc + t[acc % n, i % n] + t[i % n, acc % n], i + 1)).0

entry inner (k: i64) (n: i64) : i64 =
  let xs = map (* 2) (iota n)
  in loop acc = 1 + i64.min k 0 * xs[0]
     for _ in iota 2 do
       loop acc
       for i < k do
         let t = table xs in acc % 7 + t[acc % n, i % n] + t[i % n, acc % n]
