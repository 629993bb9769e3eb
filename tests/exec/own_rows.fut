-- Cells that reduce rows of their own lengths: lanes of a subgroup share them on the GPU.

-- Row i begins at `starts[i]`: about m elements, with empty rows in between.
def starts (n: i64) (m: i64) : [n + 1]i64 =
  map (\i -> i64.max 0 (i * m + (i * 7) % 4 - (if i % 5 == 3 then m else 0))) (iota (n + 1))

def row 'a (s: []i64) (vs: []a) (i: i64) : []a = vs[s[i]:i64.max s[i] s[i + 1]]

-- A sparse matrix times a vector.
-- ==
-- entry: sparse_product
-- input { 0i64 5i64 }
-- input { 1i64 3i64 }
-- input { 37i64 0i64 }
-- input { 40i64 1i64 }
-- input { 100i64 7i64 }
-- input { 33i64 33i64 }
-- input { 20i64 257i64 }
-- input { 300i64 40i64 }
entry sparse_product (n: i64) (m: i64) : [n]f32 =
  let s = starts n m
  let values = map (\k -> f32.i64 (k % 17)) (iota (n * m + 4))
  let columns = map (\k -> (k * 5) % i64.max n 1) (iota (n * m + 4))
  let xs = map f32.i64 (iota n)
  in map (\i -> f32.sum (map2 (\v c -> v * xs[c]) (row s values i) (row s columns i))) (iota n)

-- An operator that does not commute, on rows that are read by index; several reductions.
-- ==
-- entry: first_largest
-- input { 1i64 3i64 }
-- input { 40i64 1i64 }
-- input { 100i64 7i64 }
-- input { 20i64 257i64 }
entry first_largest (n: i64) (m: i64) : [n](i64, i64, u8, f64) =
  let s = starts n m
  let values = map (\k -> (k * 31) % 101) (iota (n * m + 4))
  let later (x, i) (y, j) = if j < 0 || (i >= 0 && x >= y) then (x, i) else (y, j)
  in map (\i ->
            let count = i64.max s[i] s[i + 1] - s[i]
            let at k = values[s[i] + k]
            let (most, place) = reduce later (0, -1) (tabulate count (\k -> (at k, k)))
            let bits = reduce (^) 0u8 (tabulate count (u8.i64 <-< at))
            let least = f64.minimum (tabulate count (f64.i64 <-< at))
            in (most, place, bits, least))
         (iota n)

-- Rows in branches and loops of a cell, in two dimensions.
-- ==
-- entry: within_control
-- input { 3i64 1i64 }
-- input { 60i64 6i64 }
-- input { 9i64 130i64 }
entry within_control (n: i64) (m: i64) : [2][n]i32 =
  let s = starts n m
  let values = map i32.i64 (iota (n * m + 4))
  let once (b: i64) (i: i64) =
    if (b + i) % 3 == 0
    then -1
    else loop total = i32.i64 b for _t < 2 + i % 3 do total * 3 + i32.sum (map (^ total) (row s values i))
  in tabulate_2d 2 n once

-- An element outside of the vector.
-- ==
-- entry: outside
-- input { 50i64 }
-- error: index `\[50]` is out of range.*H7001
entry outside (n: i64) : [n]i32 =
  let xs = map i32.i64 (iota n)
  let columns = map (\k -> if k == 777 then n else k % n) (iota (n * 20))
  let s = map (* 20) (iota (n + 1))
  in map (\i -> i32.sum (map (\c -> xs[c]) columns[s[i]:s[i + 1]])) (iota n)

-- Loops over rows, in their order.
-- ==
-- entry: loops
-- input { 0i64 5i64 }
-- input { 1i64 3i64 }
-- input { 40i64 1i64 }
-- input { 100i64 7i64 }
-- input { 20i64 257i64 }
entry loops (n: i64) (m: i64) : ([n]f32, [n](i64, u8)) =
  let s = starts n m
  let values = map (\k -> f32.i64 (k % 17) / 3) (iota (n * m + 4))
  let columns = map (\k -> (k * 5) % i64.max n 1) (iota (n * m + 4))
  let xs = map f32.i64 (iota n)
  let product i =
    loop sum = 0.5f32 for k in s[i]..<i64.max s[i] s[i + 1] do sum * 0.75f32 + values[k] * xs[columns[k]]
  let digits i =
    loop (number, last) = (1, 255u8)
    for k < i64.max s[i] s[i + 1] - s[i] do
      let c = columns[s[i] + k]
      in (number * 31 + c ^ (number >> 7), u8.i64 (c + k))
  in (map product (iota n), map digits (iota n))
