-- Chains of branches whose arms give an array from around them or one of their own: on the device neither
-- is copied (tests/device.py), nor is the array that a loop carries.
-- ==
-- entry: chain
-- input { 0i32 [1i32, 2i32, 3i32] }
-- output { [1i32, 2i32, 3i32] [2i32, 4i32, 6i32] }
-- input { 1i32 [1i32, 2i32, 3i32] }
-- output { [2i32, 3i32, 4i32] [3i32, 5i32, 7i32] }
-- input { 2i32 [1i32, 2i32, 3i32] }
-- output { [1i32, 2i32, 3i32] [2i32, 4i32, 6i32] }
-- input { 3i32 [1i32, 2i32, 3i32] }
-- output { [6i32, 4i32, 2i32] [7i32, 6i32, 5i32] }
entry chain [n] (a: i32) (xs: [n]i32) : ([n]i32, [n]i32) =
  let ys =
    if a == 0 then xs else if a == 1 then map (+ 1) xs else if a == 2 then xs else map (* 2) (reverse xs)
  in (ys, map2 (+) xs ys)

-- ==
-- entry: changing
-- input { 7i32 [1i32, 2i32, 3i32] }
-- output { [6i32, 4i32, 4i32, 6i32] }
-- input { 9i32 [3i32, 2i32, 1i32] }
-- output { [8i32, 12i32, 12i32, 8i32, 8i32, 12i32, 12i32, 8i32] }
entry changing (k: i32) (xs: []i32) : []i32 =
  loop xs
  for i < k do
    if i % 4 == 0
    then xs
    else if i % 4 == 1
    then filter (> 1) xs
    else if i % 4 == 2
    then xs
    else map (* 2) (reverse xs ++ xs)

-- The inner loop's steps all read what the outer loop carries.
-- ==
-- entry: around
-- input { 7i32 [1i32, 2i32, 3i32] }
-- output { [15i32, 16i32, 17i32] [13i32, 14i32, 15i32] }
entry around (k: i32) (xs: []i32) : ([]i32, []i32) =
  loop (xs, ys) = (xs, xs)
  for i < k do
    loop (zs, ws) = (ys, [1i32, 2])
    for j < 3 do
      let vs = if j % 2 == 0 then xs else if j == 1 then filter (> j) ws else zs
      let us = if (i + j) % 2 == 0 then vs else filter (> i) xs
      in (map (+ j) us, vs)

-- ==
-- entry: swapped
-- input { 7i32 [1i32, 2i32, 3i32] [7i32] }
-- output { [7i32, 7i32, 1i32, 2i32, 3i32] [7i32, 7i32, 1i32, 2i32, 3i32] }
entry swapped (k: i32) (xs: []i32) (ys: []i32) : ([]i32, []i32) =
  loop (xs, ys) = (xs, ys)
  for i < k do
    if i % 3 == 0 then (ys, xs) else if i % 3 == 1 then (filter (> i) xs ++ ys, ys) else (xs, xs)
