-- Sizes that are computed must not wrap, whatever the elements are.
-- ==
-- entry: flattened
-- input { 1073741824i64 }
-- error: `\[1073741824\]\[1073741824\]`.*H7012
-- ==
-- entry: flattened
-- input { 3i64 }
-- output { 9i64 }
-- ==
-- entry: unflattened
-- input { 4294967296i64 }
-- error: `\[4294967296\]\[4294967296\]`.*H7012
-- ==
-- entry: unflattened
-- input { 0i64 }
-- output { 0i64 }
-- ==
-- entry: joined
-- input { 1152921504606846975i64 }
-- error: `\[2305843009213693950\]`.*H7012
-- ==
-- entry: joined
-- input { 3i64 }
-- output { 6i64 }
entry flattened (n: i64) : i64 = length (flatten (replicate n (replicate n ())))

entry unflattened (n: i64) : i64 =
  let none: []i64 = []
  in length (unflatten (none :> [n * n]i64))

entry joined (n: i64) : i64 = length (replicate n () ++ replicate n ())
