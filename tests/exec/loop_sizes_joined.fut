-- A loop in a loop starts with what that carries and returns what that starts with. Both keep one size, so
-- that rows stay regular, unless the outer loop changes one of them.
-- ==
-- entry: kept
-- input { [1i64, 2i64] } output { [[3i64, 4i64], [4i64, 5i64], [1i64, 2i64]] }
-- ==
-- entry: grown
-- input { [1i64, 2i64] } output { 8i64 16i64 }
-- ==
-- entry: filtered
-- input { [1i64, 2i64, 9i64] } output { [3i64, 4i64, 11i64] }
-- ==
-- entry: swapped
-- input { [1i64, 2i64] } output { [2i64, 1i64] [2i64, 1i64] }

entry kept [n] (xs: [n]i64) =
  map (\c ->
         loop acc = xs
         for i < c do
           if i == 2 then xs else loop part = acc for j < 2i64 do map (+ (i + j + 1)) xs)
      [1, 2, 3]

entry grown [n] (xs: [n]i64) =
  let (part, rest) =
    loop (part, rest) = (xs, xs)
    for i < 3i64 do
      let kept = (loop part for _j < i do rest) in (kept, kept ++ rest)
  in (length part, length rest)

entry filtered [n] (xs: [n]i64) =
  loop acc = xs
  for i < 2i64 do
    filter (> 2) (loop part = acc for j < 2i64 do map (+ (i + j)) xs)

entry swapped [n] (xs: [n]i64) =
  loop (a, b) = (xs, reverse xs) for i < 2i64 do (loop a for _j < i do b, b)
