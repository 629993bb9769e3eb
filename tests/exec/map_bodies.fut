-- What the body of a map may be.
-- tolerance: exact
-- ==
-- input { [[1i32,2i32],[3i32,4i32],[5i32,6i32]] }
-- output { [[16i32, 16i32], [12i32, 16i32], [10i32, 12i32]] [1i32, 1i32, 1i32] [[6i32, 5i32], [4i32, 3i32], [2i32, 1i32]] [[1i32, 2i32], [4i32, 6i32], [9i32, 12i32]] [[1i32, 2i32], [4i32, 3i32], [5i32, 6i32]] [4i32, 5i32, 6i32, 7i32] [1i32, 3i32, 5i32] [2i32, 4i32, 6i32] [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] }
entry main [n] [m] (xss: [n][m]i32) =
  let a = map (\xs -> map (\x -> loop y = x while y < 10 do y * 2) xs) xss
  let b = map (\xs -> reduce (+) 0 (map (\x -> if x % 2 == 0 then x else -x) xs)) xss
  let c = map (\i -> map (\j -> xss[n - 1 - i, m - 1 - j]) (iota m)) (iota n)
  let d = transpose xss |> map (scan (+) 0) |> transpose
  let e = map2 (\xs k -> rotate k xs) xss (iota n)
  let f = xss |> flatten |> filter (> 2) |> map (+ 1)
  let g = map (\xs -> (i32.minimum xs, i32.maximum xs)) xss |> unzip
  let h = map (\xs -> let (a, b) = split (xs :> [1 + 1]i32) in (a :> [1]i32) ++ (b :> [1]i32)) xss
  in (a, b, c, d, e, f, g, h)
