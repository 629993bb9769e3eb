-- Filters behind each other: kernels find the sizes in device memory, the host gives room for as
-- many elements as were filtered. It waits for the sizes of results, and for that of an array
-- whose elements are added as floats.

entry main [n] (xs: [n]i64) : ([]i64, i64, f32) =
  let ys = filter (> 3) xs
  let zs = filter (\y -> y % 5 != 0) (map2 (+) (scan (+) 0 ys) ys)
  let floats = scan (+) 0f32 (map f32.i64 (filter (< 100) xs))
  in (zs, i64.sum (scan i64.max 0 ys), floats[length floats - 1])
