-- A branch in a loop whose arms have different sizes: the array changes its size, and no arm
-- decides with what the loop starts.

-- ==
-- entry: turns
-- input { 0i64 } output { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]] }
-- input { 1i64 } output { [[1i64, 3i64, 5i64], [2i64, 4i64, 6i64]] }
-- input { 3i64 } output { [[1i64, 2i64, 1i64], [3i64, 4i64, 3i64], [5i64, 6i64, 5i64]] }
entry turns (n: i64) =
  loop z = [[1i64, 2], [3, 4], [5, 6]]
  for k < n do
    if k % 2 == 0 then transpose z else z ++ z[:1]

-- ==
-- entry: grows
-- input { [[1i64, 2i64, 3i64]] 2i64 } output { [[1i64, 2i64, 3i64], [1i64, 2i64, 3i64], [1i64, 2i64, 3i64], [1i64, 2i64, 3i64]] }
-- input { [[1i64, 2i64, 3i64]] 3i64 } output { [[1i64, 1i64, 1i64, 1i64, 1i64], [2i64, 2i64, 2i64, 2i64, 2i64], [3i64, 3i64, 3i64, 3i64, 3i64]] }
entry grows [a] [b] (start: [a][b]i64) (n: i64) : [][]i64 =
  (loop (z, k) = (start, 0)
   while k < n do
     let z = z ++ (if k == 1 then z[:2] else z[:1])
     in (if k == 2 then transpose z else z, k + 1)).0

-- The inner loop starts with sizes that the outer one changes.
-- ==
-- entry: inner
-- input { 0i64 } output { 6i64 13i64 }
-- input { 1i64 } output { 12i64 26i64 }
-- input { 2i64 } output { 24i64 52i64 }
entry inner (n: i64) =
  let z =
    loop z = [[1i64, 2], [3, 4], [1, 2]]
    for _k < n do
      let z = z ++ map reverse z
      let z =
        loop z
        for j < 2 do
          let z = if j % 2 == 0 then transpose z else z
          in if j == 1 then transpose z else z
      in z
  in (length (flatten z), i64.sum (flatten z))
