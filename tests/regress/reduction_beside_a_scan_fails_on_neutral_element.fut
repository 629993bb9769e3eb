-- A reduction beside a scan whose operator fails on its neutral element, with more elements than a chunk of scans: the
-- cpu engine applied both operators to each element of later chunks.
-- ==
-- input { 70000i64 }
-- input { 5000i64 }
-- input { 0i64 }
entry main (n: i64) =
  let w = map (\i -> i * 7919 % 10007) (iota n)
  let f i j = if i < 0 || w[j] > w[i] || (w[j] == w[i] && j < i) then j else i
  in (reduce f (-1) (iota n), scan f (-1) (iota n))
