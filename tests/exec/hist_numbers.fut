-- Histograms of pairs that short code makes of an element's number: on the GPU numbers are sorted by bins, and values are
-- computed behind that. Some elements have no bin; some bins have many.
-- tolerance: exact
-- ==
-- input { 200000i64 70000i64 }
-- input { 70000i64 100i64 }
-- input { 65537i64 1i64 }
-- input { 40i64 7i64 }
-- input { 0i64 7i64 }
def main (n: i64) (k: i64) =
  let bin (i: i64) = if i % 3 == 0 then 0 else i * 7919 % (k + 10) - 5
  let pair (i: i64) = (f64.i64 (i % 5), f32.i64 (i % 3))
  in unzip (reduce_by_index (replicate k (0, 1)) (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (map bin (iota n)) (map pair (iota n)))
