-- Reductions whose segments all walk over the same elements: several segments of a run at once.
-- ==
-- entry: forces
-- input { [0f32] [1f32] } output { [1f32] [0.5f32] }
-- input { empty([0]f32) [1f32, 2f32] } output { empty([0]f32) empty([0]f32) }
-- input { [1f32, 2f32, 3f32] empty([0]f32) } output { [0f32, 0f32, 0f32] [0f32, 0f32, 0f32] }
-- input { [0f32, 1f32, 2f32, 3f32, 4f32] [1f32, 3f32] }
-- output { [10f32, 4f32, 2f32, 4f32, 10f32] [0.75f32, 1.3333334f32, 1f32, 1.3333334f32, 0.75f32] }

-- ==
-- entry: kinds
-- input { 1i64 1i64 } output { [0i64] [0i32] [1f64] }
-- input { 5i64 3i64 } output { [3i64, 6i64, 9i64, 12i64, 15i64] [2i32, 3i32, 4i32, 5i32, 6i32] [1f64, 8f64, 27f64, 64f64, 125f64] }
-- input { 3i64 0i64 } output { [0i64, 0i64, 0i64] [-7i32, -7i32, -7i32] [1f64, 1f64, 1f64] }

-- ==
-- entry: sizes
-- input { 3i64 7i64 40i64 } output { true }
-- input { 17i64 9i64 513i64 } output { true }
-- input { 2i64 3i64 5000i64 } output { true }

-- A tuple, with a division in each element.
entry forces [n] [m] (xs: [n]f32) (ys: [m]f32) : ([n]f32, [n]f32) =
  let force x y = let d = f32.abs (y - x) in (d * d, 1f32 / (1f32 + d))
  let add (a, b) (c, d) = (a + c, b + d)
  in unzip (map (\x -> reduce_comm add (0f32, 0f32) (map (force x) ys)) xs)

-- Several types and operators.
entry kinds (n: i64) (m: i64) : ([n]i64, [n]i32, [n]f64) =
  let ks = iota m
  let first = if m > 1 then 1i64 else 0i64
  in ( map (\i -> i64.sum (map (\k -> i + k * 0) ks)) (map (+ first) (iota n))
     , map (\i -> reduce i32.max (-7) (map (\k -> i32.i64 (i + k)) ks)) (iota n)
     , map (\i -> f64.product (map (\k -> f64.i64 (i + 1 + k - k)) ks)) (iota n)
     )

-- Nests of two levels, around the sizes that decide how many invocations a run has.
entry sizes (n: i64) (m: i64) (k: i64) : bool =
  let xs = map (\i -> i32.i64 (i * 7919 % 1009)) (iota k)
  let made = tabulate_2d n m (\i j -> i32.sum (map (\x -> x ^ i32.i64 (i * m + j)) xs))
  let wanted = tabulate_2d n m (\i j -> loop s = 0i32 for x in xs do s + (x ^ i32.i64 (i * m + j)))
  in and (map2 (==) (flatten made) (flatten wanted))
