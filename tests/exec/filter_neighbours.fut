-- Filters and partitions whose flags compare neighbours: one behind, one ahead, both, around the ends.
-- ==
-- entry: firsts
-- input { [1i64, 1i64, 2i64, 2i64, 2i64, 1i64] } output { [0i64, 2i64, 5i64] [1i64, 2i64, 1i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
-- input { [7i64] } output { [0i64] [7i64] }
entry firsts [n] (xs: [n]i64) : ([]i64, []i64) =
  unzip (filter (\(i, x) -> i == 0 || xs[i - 1] != x) (zip (iota n) xs))

-- ==
-- entry: peaks
-- input { [1.0f32, 3.0f32, 2.0f32, 2.0f32, 5.0f32, 4.0f32, 6.0f32] } output { [1i64, 4i64] }
-- input { [1.0f32, 3.0f32] } output { empty([0]i64) }
entry peaks [n] (xs: [n]f32) : []i64 =
  filter (\i -> i > 0 && i + 1 < n && xs[i - 1] < xs[i] && xs[i] > xs[i + 1]) (iota n)

-- ==
-- entry: around
-- input { [4i32, 4i32, 1i32, 4i32] } output { [0i64, 1i64] [2i64, 3i64] }
entry around [n] (xs: [n]i32) : ([]i64, []i64) =
  partition (\i -> xs[i] == (rotate (-1) xs)[i]) (iota n)

-- ==
-- entry: three
-- input { [1i32, 2i32, 2i32, 1i32, 5i32] } output { [1i64, 4i64] [3i64] [0i64, 2i64] }
entry three [n] (xs: [n]i32) : ([]i64, []i64, []i64) =
  let before i = xs[i64.max 0 (i - 1)]
  in partition2 (\i -> xs[i] > before i) (\i -> xs[i] < before i) (iota n)

-- Runs of 1 to 5 among many, against a loop.
-- ==
-- entry: many
-- input { 100000i64 } output { true }
-- input { 777i64 } output { true }
entry many (n: i64) : bool =
  let xs = map (\i -> i32.i64 ((i * i) % 11 / 3)) (iota n)
  let ys = unique (==) xs
  let (count, hash) =
    loop (count, hash) = (0, 0i32)
    for i < n do
      if i == 0 || xs[i] != xs[i - 1] then (count + 1, hash * 31 + xs[i]) else (count, hash)
  in count == length ys && hash == loop h = 0i32 for y in ys do h * 31 + y

-- Runs of what a cheap map makes.
-- ==
-- entry: mapped
-- input { [5i32, 4i32, 4i32, 9i32] } output { [6i32, 5i32, 10i32] [1i64, 2i64, 1i64] [6i32, 5i32, 10i32] }
-- input { empty([0]i32) } output { empty([0]i32) empty([0]i64) empty([0]i32) }
entry mapped [n] (xs: [n]i32) : ([]i32, []i64, []i32) =
  let ys = map (+ 1) xs
  let (zs, counts) = run_length_encode (==) ys
  in (zs, counts, unique (==) ys)

-- Its array is replaced, or is a result itself.
-- ==
-- entry: replaced
-- input { [3i32, 3i32, 4i32] } output { [0i32, 4i32, 5i32] 2i64 [4i32, 4i32, 5i32] }
entry replaced [n] (xs: [n]i32) : ([n]i32, i64, [n]i32) =
  let ys = map (+ 1) xs
  let count = length (unique (==) ys)
  let kept = copy ys
  in (ys with [0] = 0, count, kept)

-- The map's input is replaced behind the first reader.
-- ==
-- entry: input_replaced
-- input { [3i32, 3i32, 4i32] } output { [4i32, 5i32] [9i32, 3i32, 4i32] 13i32 }
entry input_replaced [n] (xs: [n]i32) : ([]i32, [n]i32, i32) =
  let zs = copy xs
  let ys = map (+ 1) zs
  let firsts = unique (==) ys
  let zs = zs with [0] = 9
  in (firsts, zs, i32.sum ys)
