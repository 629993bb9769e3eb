-- Loops of every form, with patterns of every form.
-- tolerance: exact
-- ==
-- input { 5i32 [1i32,2i32,3i32,4i32] }
-- output { 5i32 8i32 243i32 10i32 [0i32, 1i32, 3i32, 6i32] 10i32 [4i32, 5i32, 6i32, 7i32] 6i32 80.0f32 10i32 [11i32, 12i32] }
entry main [n] (k: i32) (xs: [n]i32) =
  let (a, b) = loop (a, b) = (0, 1) for i < k do (b, a + b)
  let c = loop x = 1 while x < 100 do x * 3
  let d = loop acc = 0 for x in xs do acc + x
  let e = loop (arr, s) = (copy xs, 0) for i < n do let v = arr[i] in (arr with [i] = s, s + v)
  let f = loop xs for i < 3i8 do map (+ i32.i8 i) xs
  let g = loop {x, y} = {x = 1i32, y = 2.5f32} for _i < k do {x = x + 1, y = y * 2}
  let h = loop () = () for i < 3 do ()
  let i = loop z = (0, [1, 2]) for (x, y) in zip xs xs do (z.0 + x, map (+ y) z.1)
  in (a, b, c, d, e, f, g.x, g.y, i)
