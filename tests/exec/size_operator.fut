-- Operators in sizes that are expressions: `(+)` is the same wherever it stands.
-- ==
-- input { [2i64, 0i64, 3i64] } output { [0i64, 1i64, 2i64, 3i64, 4i64] 5i64 8i64 }
def slots [n] (counts: [n]i64) : [reduce (+) 0 counts]i64 = iota (reduce (+) 0 counts)

def slots_of_more [n] (counts: [n]i64) : [i64.sum (map (+ 1) counts)]i64 =
  iota (i64.sum (map (+ 1) counts))

entry main [n] (counts: [n]i64) =
  let all = slots counts
  let sums = map2 (+) all (slots counts)
  in (all, length sums, length (slots_of_more (map (\x -> x) counts)))
