-- The inner loop's last array becomes the outer loop's next one: they change places, without a copy
-- unless the inner loop has no iteration. Branches take the array from outside as it is.
entry main [n] (k: i64) (m: i64) (xs: [n]f32) : [n]f32 =
  (loop (xs, i) = (xs, k)
   while i > 0 do
     let (ys, _) =
       loop (ys, j) = (if i > 3 then xs else map (* 0.5) xs, m)
       while j > 0 do
         (map (+ 1) ys, j - i)
     in (ys, i - 2)).0
