-- Each lane walks along a row of its own, again and again: rows are turned first, if they are short.
-- ==
-- entry: nearest
-- input { 1500i64 7i64 5i64 }
-- output { true }
-- input { 3i64 300i64 2i64 }
-- output { true }
-- input { 70i64 0i64 4i64 }
-- output { true }
entry nearest (n: i64) (d: i64) (k: i64) : bool =
  let points = tabulate_2d n d (\i j -> f32.i64 ((i * 31 + j * 17) % 101))
  let centres = tabulate_2d k d (\i j -> f32.i64 ((i * 57 + j * 29) % 101))
  let distance (p: [d]f32) (c: [d]f32): f32 = loop s = 0 for l < d do s + (p[l] - c[l]) * (p[l] - c[l])
  let found =
    map (\p ->
           (loop (best, at) = (f32.inf, 0i64)
            for j < k do
              let x = loop s = 0 for l < d do s + (p[l] - centres[j, l]) * (p[l] - centres[j, l])
              in if x < best then (x, j) else (best, at)).1)
        points
  in and (map2 (\p at -> all (\j -> distance p centres[at] <= distance p centres[j]) (iota k))
               points
               found)
