-- Each cell sorts an array of its own by insertion: it steps down and still reads where it was. Mesa 22.3 (lavapipe) had
-- the old and the new place in one register.
-- ==
-- entry: sort
-- input { 5i64 [0, -128, -256, -384] } output { [[-384, -256, -128, 0], [-384, -256, -128, 0], [-384, -256, -128, 0], [-384, -256, -128, 0], [-384, -256, -128, 0]] }
-- ==
-- entry: follow
-- input { 40i64 [3i64, 0i64, 1i64, 2i64] }
entry sort [m] (n: i64) (xs: [m]i32) =
  map (\_ ->
         let r = map (\j -> xs[j]) (iota 4)
         in loop r = copy r
            for a < 4 - 1 do
              (loop (s, b) = (r, a)
               while b >= 0 && s[b] > s[b + 1] do
                 let u = s[b]
                 let v = s[b + 1]
                 in (s with [b] = v with [b + 1] = u, b - 1)).0)
      (iota n)

-- The next place comes out of an array, the old one is overwritten.
entry follow [m] (n: i64) (next: [m]i64) =
  map (\i ->
         (loop (r, at) = (map (\j -> next[j]) (iota 4), i % 4)
          for _k < 5 do
            let to = r[at]
            let r = copy r with [at] = at
            let r = if to > 0 && r[to - 1] > r[at] then r with [to] = r[at] else r
            in (r, to)).0)
      (iota n)
