-- Sizes whose expressions bind names.
-- ==
-- entry: of_function
-- input { 4i64 }
-- output { 0i64 }
-- input { 5i64 }
-- output { 2i64 }

def first 'a (f: i64 -> ([]a, ())) (n: i64) = length (f n).0

entry of_function (n: i64) =
  first (\v : ([]i64, ()) -> (iota (v % 2 * ((let k = 5i64 in k) % 3)), ())) n

-- ==
-- entry: of_match
-- input { 4i64 }
-- output { 0i64 }
-- input { 7i64 }
-- output { 4i64 }
entry of_match (n: i64) =
  first (\v : ([]i64, ()) -> (iota (v % 2 * ((match v case 1 -> 3 case w -> w - 2) % 7 - 1)), ())) n
