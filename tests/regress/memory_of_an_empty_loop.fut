-- A loop without iterations allocates nothing, whatever its body would ask for.
-- ==
-- input { 0i64 5i64 } output { 0i64 }
-- input { 0i64 -5i64 } output { 0i64 }
-- input { 0i64 4000000000000000000i64 } output { 0i64 }
-- input { 0i64 4000000000000i64 } output { 0i64 }
-- input { 3i64 5i64 } output { 21i64 }
-- input { 3i64 -5i64 } error: negative
def main (k: i64) (n: i64) : i64 =
  loop acc = 0
  for i < k do
    let xs = replicate n (i + acc)
    let xs = loop xs for j < n - 1 do xs with [j + 1] = xs[j] + j
    in if n > 0 then xs[n - 1] else 0
