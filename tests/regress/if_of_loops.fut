-- Branches that return what a loop made of buffers of its own: those were given back too early.
-- tolerance: exact
-- ==
-- entry: of_two
-- input { 5i64 9i64 }
-- input { 5i64 2i64 }
-- input { 0i64 9i64 }
entry of_two (n: i64) (steps: i64) =
  let f (c: i64) = loop xs = map (\i -> f32.i64 (i + c)) (iota n) for _i < steps do map (\x -> 0.5f32 * x) xs
  let b = if steps > 3 then f 7 else f 8
  let d = map (+ 1) b
  in (b, d)

-- ==
-- entry: then_loop
-- input { 5i64 9i64 }
entry then_loop (n: i64) (steps: i64) =
  let f (c: i64) = loop xs = map (\i -> f32.i64 (i + c)) (iota n) for _i < steps do map (\x -> 0.5f32 * x) xs
  let b = if steps > 3 then f 7 else replicate n 1f32
  let c =
    loop ys = b
    for i < 4 do
      loop q = ys for j < i do map (\x -> x + f32.i64 j) q
  in (b, c)
